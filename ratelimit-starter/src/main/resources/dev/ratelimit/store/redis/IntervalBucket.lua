-- Token bucket that is refilled completely at the end of every interval. An interval is as long as the window and begins with
-- the first admission after the end of the previous one.
-- Twin and oracle: dev.ratelimit.store.memory.IntervalBucket.
--
-- KEYS[1]  string of unsigned little-endian integers: micros of the last write (7 bytes); per window: millis of its length
--          (5), permits taken (7), micros at which the interval began (7), micros from which it is as long as the window
--          (7): later than its beginning if the request that began it was released. The requested windows come first. Up to
--          eight others follow until they end, the most recently requested first.
-- ARGV     '-' | cost | ttlMillis | '0' | per window, the shortest first: capacity, permit, refill, windowMillis
-- State    the text under the key | per window: permits taken, micros at which the interval began, micros from which it is
--          as long as the window
-- Reply    per window: remaining | micros until the interval ends, 0 if nothing is taken | if it refuses, micros until the
--          same cost can succeed, or -1 if it never can; if all admit, the negated receipt: twice the beginning of the
--          interval, and one more for the admission that began it

local function read(state, now, key, limit)
    local text, steppedBack, n = readText(key), false, 1
    if #text % 26 ~= 7 then -- nothing of ours
        text = ''
    end
    for i = 8, #limit, 4 do
        local windowMillis, taken, began, start = limit[i], 0, now, now
        for at = 8, #text, 26 do
            local length, permits, beginning, from = struct.unpack('<I5I7I7I7', text, at)
            if length == windowMillis and permits > 0 and now < from + windowMillis * 1000 then
                steppedBack = steppedBack or from > now
                taken, began, start = permits, beginning, math.min(from, now)
            end
        end
        state[n + 1], state[n + 2], state[n + 3] = taken, began, start
        n = n + 3
    end
    state[1] = text
    return steppedBack
end

local function judge(state, now, limit, id, cost, mode, reply, n)
    local admits, at = mode == 'take', 2
    for i = 5, #limit, 4 do
        admits = admits and state[at] <= limit[i] - cost
        at = at + 3
    end

    at = 2
    for i = 5, #limit, 4 do
        local taken, began = state[at], state[at + 1]
        local left, ends, third = math.max(0, limit[i] - taken), state[at + 2] + limit[i + 3] * 1000 - now, 0
        if admits then
            third = -2 * began
            if taken == 0 then
                third = third - 1
            end
            taken, left = taken + cost, left - cost
            state[at] = taken
        elseif cost > limit[i] then
            third = -1
        elseif cost > left then
            third = ends
        end
        reply[n + 1], reply[n + 2], reply[n + 3] = left, taken > 0 and ends or 0, third
        at, n = at + 3, n + 3
    end
    return n, admits
end

local function write(state, now, key, limit)
    local written, requested, at, others, ttl = struct.pack('<I7', now), {}, 2, 0, limit[3] + 0
    for i = 8, #limit, 4 do
        requested[limit[i]] = true
        written = written .. struct.pack('<I5I7I7I7', limit[i], state[at], state[at + 1], state[at + 2])
        at = at + 3
    end
    for from = 8, #state[1], 26 do
        local length, taken, began, start = struct.unpack('<I5I7I7I7', state[1], from)
        if not requested[length] and taken > 0 and now < start + length * 1000 and others < 8 then
            others, ttl = others + 1, math.max(ttl, math.min(length, 34560000000) + 100)
            written = written .. struct.pack('<I5I7I7I7', length, taken, began, math.min(start, now))
        end
    end
    redis.call('SET', key, written, 'PX', ttl)
end

