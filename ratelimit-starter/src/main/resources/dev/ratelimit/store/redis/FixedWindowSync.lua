
-- Counts permits in their fixed windows that an instance has admitted without a call, whether or not there is room.
-- Twin and oracle: count of dev.ratelimit.store.memory.FixedWindow.
--
-- KEYS[1]  the string of FixedWindow.lua
-- ARGV     '-', in the place of a permit id | number of permits | ttlMillis | per window: threshold, windowMicros |
--          per window: its receipt
-- Reply    per window: remaining | micros until its end, 0 if nothing is used | the negated receipt of this window
--
-- Permits of a window that has passed are not counted any more. Where the clock has stepped back since, they count as taken
-- now.

local function decide(now)
    local permits, windows, reply = ARGV[2] + 0, math.floor((#ARGV - 3) / 3), {}
    local held = arrange(storedNumbers(4), 5, 3 + 2 * windows, 4)
    for i = 1, windows do
        local threshold, window, receipt = ARGV[2 + 2 * i] + 0, ARGV[3 + 2 * i] + 0, ARGV[3 + 2 * windows + i] + 0
        local at, place, current = 4 * i - 2, 3 * i - 2, math.floor(now / window)
        local index, count, steps = held[at + 1], held[at + 2], held[at + 3]
        if index < current then
            count = 0
        elseif index > current then -- the clock has stepped back: what was counted then counts as of now
            steps = (steps + 1) % 1000
        end
        local passed = current + 1 > math.floor(receipt / window) and receipt % window == steps
        if not passed then
            count = math.min(count + permits, 999999999999999)
        end
        held[at + 1], held[at + 2], held[at + 3] = current, count, steps
        local ending = (current + 1) * window
        reply[place] = math.max(0, threshold - count)
        reply[place + 1] = count > 0 and ending - now or 0
        reply[place + 2] = -ending - steps
    end
    store(held, 2 + 4 * windows, now, 4, 1, true)
    return reply
end
