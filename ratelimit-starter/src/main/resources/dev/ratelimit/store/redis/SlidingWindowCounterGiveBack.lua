-- Releases permits from their sliding-window counters, as if they had never been admitted. Each may be released only once,
-- because a counter does not know its permits. Needs no time.
--
-- KEYS[1]  the string of SlidingWindowCounter.lua
-- ARGV     permit id | cost | and, unless the result was lost: ttlMillis | rounding | per window: threshold, windowMicros |
--          per window: its receipt
-- Reply    the number of windows credited; -1 if the permits cannot be identified: they stay counted
--
-- Permits that no longer affect an estimate are gone already. Where the clock has stepped back since, permits of before and
-- after the step cannot be distinguished.

local KEY, COST, WINDOWS = KEYS[1], tonumber(ARGV[2]), (#ARGV - 4) / 3

if WINDOWS < 1 then
    return -1
end
local held = storedNumbers()
local credited, unknown = 0, false
for i = 1, WINDOWS do
    local window, receipt = tonumber(ARGV[4 + 2 * i]), tonumber(ARGV[4 + 2 * WINDOWS + i])
    for at = 2, #held - 4, 5 do
        if held[at] == window / 1000 then
            local age = held[at + 1] + 1 - math.floor(receipt / window)
            if age < 0 or receipt % window ~= held[at + 4] then
                unknown = true
            elseif age <= 1 then -- current, or previous by now
                held[at + 2 + age] = math.max(0, held[at + 2 + age] - COST)
                credited = credited + 1
            end
        end
    end
end
if credited > 0 then
    redis.call('SET', KEY, cmsgpack.pack(unpack(held, 2)), 'KEEPTTL')
end
return unknown and -1 or credited
