-- Token bucket. It is refilled either evenly, the threshold per window (see FlowingBucket.lua), or completely at the end of
-- every interval. An interval is as long as the window and begins with the first admission after the end of the previous
-- one.
-- Twin and oracle: dev.ratelimit.store.memory.TokenBucket.
--
-- KEYS[1]  as in FlowingBucket.lua; with intervals, of odd length: micros of the last write (7 bytes); per window: millis
--          of its length (5), permits taken (7), micros at which the interval began (7), micros from which it is as long as
--          the window (7): later than its beginning if the request that began it was released. The requested windows come
--          first. Up to eight others follow until they end, the most recently requested first.
-- ARGV     as in FlowingBucket.lua
-- Reply    as in FlowingBucket.lua; with intervals micros until the interval ends, and the receipt of a window is twice the
--          beginning of its interval, and one more for the admission that began it; they share none

local function takeFromIntervals(now, reply, before)
    reply, before = reply or {}, before or 0
    local cost, value, steppedBack = ARGV[2] + 0, storedText(), false
    if not value or #value % 26 ~= 7 then -- nothing of ours
        value = ''
    end

    local intervals, asked, refused, n = {}, {}, false, 0
    for i = 5, #ARGV - 3, 4 do
        local windowMillis, taken, began, start = ARGV[i + 3] + 0, 0, now, now
        asked[windowMillis] = true
        for at = 8, #value, 26 do
            local length, permits, beginning, from = struct.unpack('<I5I7I7I7', value, at)
            if length == windowMillis and permits > 0 and now < from + windowMillis * 1000 then
                steppedBack = steppedBack or from > now
                taken, began, start = permits, beginning, math.min(from, now)
            end
        end
        refused = refused or taken > ARGV[i] - cost
        intervals[n + 1], intervals[n + 2], intervals[n + 3] = taken, began, start
        n = n + 3
    end

    local written = struct.pack('<I7', now)
    for n = 0, n - 1, 3 do
        local i = 5 + n / 3 * 4
        local taken, began, start = intervals[n + 1], intervals[n + 2], intervals[n + 3]
        local left, ends, third = math.max(0, ARGV[i] - taken), start + ARGV[i + 3] * 1000 - now, 0
        if not refused then
            third = -2 * began
            if taken == 0 then
                third = third - 1
            end
            taken, left = taken + cost, left - cost
        elseif cost > ARGV[i] + 0 then
            third = -1
        elseif cost > left then
            third = ends
        end
        local to = before + n
        reply[to + 1], reply[to + 2], reply[to + 3] = left, taken > 0 and ends or 0, third
        written = written .. struct.pack('<I5I7I7I7', ARGV[i + 3], taken, began, start)
    end
    if steppedBack or not refused then
        local others, ttl = 0, ARGV[3] + 0
        for at = 8, #value, 26 do
            local length, permits, beginning, from = struct.unpack('<I5I7I7I7', value, at)
            if not asked[length] and permits > 0 and now < from + length * 1000 and others < 8 then
                others, ttl = others + 1, math.max(ttl, math.min(length, 34560000000) + 100)
                written = written .. struct.pack('<I5I7I7I7', length, permits, beginning, math.min(from, now))
            end
        end
        redis.call('SET', KEYS[1], written, 'PX', ttl)
    end
    return reply, before + n
end

local function decide(now, reply, n)
    if ARGV[4] == '1' then
        return takeFromIntervals(now, reply, n)
    end
    return takeFromBucket(now, reply, n)
end
