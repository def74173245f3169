
-- Counts permits in their sliding-window counters that an instance has admitted without a call, whether or not there is
-- room.
-- Twin and oracle: count of dev.ratelimit.store.memory.SlidingWindowCounter.
--
-- KEYS[1]  the string of SlidingWindowCounter.lua
-- ARGV     '-', in the place of a permit id | number of permits | ttlMillis | '1' to round estimates up, '0' down |
--          per window: threshold, windowMicros | per window: its receipt
-- Reply    per window: remaining | micros until neither counter affects the estimate | the negated receipt of this window
--
-- Permits that no longer affect an estimate are not counted any more. Where the clock has stepped back since, they count as
-- taken now.

local function decide(now)
    local permits, up, windows, reply = ARGV[2] + 0, ARGV[4] == '1', math.floor((#ARGV - 4) / 3), {}
    local held = arrange(storedNumbers(5), 6, 4 + 2 * windows, 5)
    for i = 1, windows do
        local threshold, window, receipt = ARGV[3 + 2 * i] + 0, ARGV[4 + 2 * i] + 0, ARGV[4 + 2 * windows + i] + 0
        local at, place, currentIndex = 5 * i - 3, 3 * i - 2, math.floor(now / window)
        local index, current, previous, steps = held[at + 1], held[at + 2], held[at + 3], held[at + 4]
        if index > currentIndex then -- the clock has stepped back: what was counted then counts as of now
            current, previous, steps = math.min(current + previous, math.max(threshold, current, previous)), 0, (steps + 1) % 1000
        elseif index < currentIndex then
            current, previous = 0, index == currentIndex - 1 and current or 0
        end
        local age = currentIndex + 1 - math.floor(receipt / window)
        if age < 1 or receipt % window ~= steps then
            current = math.min(current + permits, 999999999999999)
        elseif age == 1 then
            previous = math.min(previous + permits, 999999999999999)
        end
        held[at + 1], held[at + 2], held[at + 3], held[at + 4] = currentIndex, current, previous, steps
        local ending = (currentIndex + 1) * window
        local left = ending - now
        local used = current + (previous > 0 and share(previous, left, window, up) or 0)
        reply[place] = math.max(0, threshold - used)
        reply[place + 1] = current > 0 and left + window or previous > 0 and left or 0
        reply[place + 2] = -ending - steps
    end
    store(held, 2 + 5 * windows, now, 5, 2, true)
    return reply
end
