
-- Counts permits in their fixed windows that an instance has admitted without a call, whether or not there is room.
-- Twin and oracle: count of dev.ratelimit.store.memory.FixedWindow.
--
-- KEYS[1]  the string of FixedWindow.lua
-- ARGV     permit id, which a counter cannot store | number of permits | ttlMillis | per window: threshold, windowMicros |
--          per window: its receipt
-- Reply    per window: remaining | micros until its end, 0 if nothing is used | the negated receipt of this window
--
-- Permits of a window that has passed are not counted any more. Where the clock has stepped back since, they count as taken
-- now.

local function decide(now)
    local permits, windows = ARGV[2] + 0, math.floor((#ARGV - 3) / 3)
    local held, counters, reply, asked = storedNumbers(), {}, {}, {}
    for i = 1, windows do
        local threshold, window, receipt = ARGV[2 + 2 * i] + 0, ARGV[3 + 2 * i] + 0, ARGV[3 + 2 * windows + i] + 0
        local index, count, steps = 0, 0, 0
        asked[window / 1000] = true
        for at = 2, #held - 3, 4 do
            if held[at] == window / 1000 then
                index, count, steps = held[at + 1], held[at + 2], held[at + 3]
            end
        end
        local current = math.floor(now / window)
        if index < current then
            count = 0
        elseif index > current then -- the clock has stepped back: what was counted then counts as of now
            steps = (steps + 1) % 1000
        end
        local passed = current + 1 > math.floor(receipt / window) and receipt % window == steps
        if not passed then
            count = math.min(count + permits, 999999999999999)
        end
        for _, number in ipairs({ window / 1000, current, count, steps }) do
            counters[#counters + 1] = number
        end
        local ending = (current + 1) * window
        for _, number in ipairs({ math.max(0, threshold - count), count > 0 and ending - now or 0, -ending - steps }) do
            reply[#reply + 1] = number
        end
    end
    local behind = #counters + 1
    for at = 2, #held - 3, 4 do
        for field = 0, asked[held[at]] and -1 or 3 do
            counters[#counters + 1] = held[at + field]
        end
    end
    local last, ttl = keepOthers(counters, behind, now, 4, 1, ARGV[3] + 0)
    redis.call('SET', KEYS[1], cmsgpack.pack(unpack(counters, 1, last - 1)), 'PX', ttl)
    return reply
end
