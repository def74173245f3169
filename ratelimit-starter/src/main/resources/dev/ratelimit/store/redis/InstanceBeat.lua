-- Stores that an instance is alive, removes instances that have not reported for too long, and returns the rank of this
-- instance among the others. Instances are ordered by name, so all of them see the same ranks. Costs time in the number of
-- instances.
--
-- KEYS[1]  sorted set: instance -> time of its last report, in milliseconds
-- ARGV     instance | millis after which an instance is removed
-- Reply    rank of the instance, from 0 | number of live instances
--
-- Where the clock has stepped back, entries of the future are removed. A live instance reports again with its next beat,
-- and no other stays for as long as the step. A value of another type is not ours. It is deleted by PEXPIRE, which needs no
-- further right.

local function decide(now)
    local KEY, INSTANCE, FORGET_MILLIS = KEYS[1], ARGV[1], ARGV[2]
    local millis = math.floor(now / 1000)
    local forgotten = redis.pcall('ZREMRANGEBYSCORE', KEY, '-inf', millis - FORGET_MILLIS)
    if type(forgotten) == 'table' and forgotten.err then
        if not string.find(forgotten.err, 'WRONGTYPE', 1, true) then
            return forgotten
        end
        redis.call('PEXPIRE', KEY, '-1')
    end
    redis.call('ZREMRANGEBYSCORE', KEY, '(' .. string.format('%.0f', millis), '+inf')
    redis.call('ZADD', KEY, millis, INSTANCE)
    redis.call('PEXPIRE', KEY, FORGET_MILLIS)
    local living = redis.call('ZRANGE', KEY, 0, -1)
    local rank = 0
    for _, other in ipairs(living) do
        rank = other < INSTANCE and rank + 1 or rank
    end
    return { rank, #living }
end

