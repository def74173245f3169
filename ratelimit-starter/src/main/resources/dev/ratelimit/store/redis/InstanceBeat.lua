-- Notes that an instance lives, forgets those that have said nothing for too long, and tells where this one stands among
-- the others. Its order is that of the names, so that all who ask see the same ranks. Costs time in the number of instances.
--
-- KEYS[1]  sorted set: instance -> when it was heard of last, in milliseconds
-- ARGV     instance | millis after which an instance is forgotten
-- Reply    rank of the instance, from 0 | how many instances live
--
-- Where the clock has stepped back, what lies in its future is forgotten: who lives says so again with its next beat, and
-- nobody stays for as long as the step. Another type of value is not ours and is deleted, by PEXPIRE, which needs no
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

