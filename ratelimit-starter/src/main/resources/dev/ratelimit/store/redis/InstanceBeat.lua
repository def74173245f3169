-- Stores that an instance is alive, removes instances that have not reported for too long, and returns the rank of this
-- instance among the others. Instances are ordered by name, so all of them see the same ranks. Costs time in the logarithm
-- of the number of instances; once per expiry, and whenever one joins or leaves, in their number.
--
-- KEYS[1]  sorted set: instance -> time of its last report, in milliseconds
-- KEYS[2]  sorted set: the instances, all with the score 0, so in the order of their names. Rebuilt when this instance is not
--          in it or its size differs from that of KEYS[1]. Its expiry is not renewed, so that changes by instances of another
--          version, which do not know it, count after a while
-- ARGV     instance | millis after which an instance is removed
-- Reply    rank of the instance, from 0 | number of live instances
--
-- Where the clock has stepped back, entries of the future are removed. A live instance reports again with its next beat,
-- and no other stays for as long as the step. A value of another type is not ours. It is deleted by PEXPIRE, which needs no
-- further right.

local TIMES, NAMES, INSTANCE, FORGET_MILLIS = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

-- Adds this instance. Deletes a value that is not ours first.
local function add(key, score)
    local added = redis.pcall('ZADD', key, score, INSTANCE)
    if type(added) == 'table' and string.find(added.err, 'WRONGTYPE', 1, true) then
        redis.call('PEXPIRE', key, '-1')
        added = redis.call('ZADD', key, score, INSTANCE)
    end
    return added
end

local function remove(from, to)
    for _, instance in ipairs(redis.call('ZRANGE', TIMES, from, to, 'BYSCORE')) do
        redis.call('ZREM', TIMES, instance)
        redis.call('ZREM', NAMES, instance)
    end
end

local function decide(now)
    local millis = math.floor(now / 1000)
    redis.call('PEXPIRE', TIMES, FORGET_MILLIS) -- before ZADD: only the first write of a script is refused for lack of memory
    local added = add(TIMES, string.format('%.0f', millis))
    if type(added) == 'table' then
        return added
    end
    redis.call('PEXPIRE', TIMES, FORGET_MILLIS)
    local isNew = add(NAMES, '0') ~= 0
    remove('-inf', string.format('%.0f', millis - FORGET_MILLIS))
    remove('(' .. string.format('%.0f', millis), '+inf')
    local living = redis.call('ZCARD', TIMES)
    if isNew or redis.call('ZCARD', NAMES) ~= living then
        redis.call('PEXPIRE', NAMES, '-1')
        for _, instance in ipairs(redis.call('ZRANGE', TIMES, '0', '-1')) do
            redis.call('ZADD', NAMES, '0', instance)
        end
        redis.call('PEXPIRE', NAMES, FORGET_MILLIS)
    end
    return { redis.call('ZRANK', NAMES, INSTANCE), living }
end
