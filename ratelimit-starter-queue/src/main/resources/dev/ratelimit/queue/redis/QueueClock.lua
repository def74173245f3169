
-- Follows each script of a queue that reads the time, and calls its `run`. Redis' clock steps back when it is corrected, or
-- with a failover: then whatever is due in this queue is due as much earlier, so nothing waits longer than when it was last
-- written.
-- Twin: now of MemoryItemQueue.
--
-- KEYS[1]  the subjects, in every such script
--
-- PERSIST changes nothing. It is a write that needs no memory, so the other writes pass when memory is full.

local CHUNK = 1000 -- members per ZADD: unpack is bounded by the Lua stack

local function decide(now)
    local due = KEYS[1]
    local written = redis.call('ZSCORE', due, WRITTEN)
    local ahead = written and -written - now or 0
    if ahead > 0 then
        redis.call('PERSIST', due)
        local subjects = redis.call('ZRANGE', due, 0, '+inf', 'BYSCORE', 'WITHSCORES')
        for from = 1, #subjects, 2 * CHUNK do
            local scored = {}
            for i = from, math.min(from + 2 * CHUNK, #subjects) - 1, 2 do
                scored[#scored + 1] = string.format('%.0f', math.max(0, subjects[i + 1] - ahead))
                scored[#scored + 1] = subjects[i]
            end
            redis.call('ZADD', due, unpack(scored))
        end
        redis.call('ZADD', due, string.format('%.0f', -now), WRITTEN)
    end
    return run(now)
end
