-- Ends an item, which is done or dead; the next one of its subject may be leased at once. Idempotent.
--
-- KEYS     the subjects, the items and their ages as in QueueEnqueue.lua | stream of the subject's items | how the item
--          ended | the bytes of the items as in QueueEnqueue.lua | stream of the rule's dead letters | number of bytes of
--          these letters
-- ARGV     subject | id | token of the lease | millis for which the end is stored | of a dead item also: reason | maximum
--          number of dead letters | millis for which they are kept | maximum number of their bytes
-- Reply    1, or 0 if the item is no longer leased to this worker

local MOST_AT_ONCE = 100 -- letters that make way for one: where a bound was lowered, the others go with later ones

-- Stores a letter, and removes the oldest ones to make room for it.
local function bury(dead, deadBytes, letter)
    local MOST, MILLIS, MOST_BYTES = ARGV[6] + 0, ARGV[7], ARGV[8] + 0
    local bytes = redis.call('EXISTS', dead) == 1 and redis.call('GET', deadBytes) or 0
    bytes = bytes + letterBytes(letter)
    redis.call('XADD', dead, '*', unpack(letter))
    for left = redis.call('XLEN', dead) - 1, math.max(1, redis.call('XLEN', dead) - MOST_AT_ONCE), -1 do
        if left < MOST and bytes <= MOST_BYTES then
            break
        end
        local oldest = redis.call('XRANGE', dead, '-', '+', 'COUNT', 1)[1]
        redis.call('XDEL', dead, oldest[1])
        bytes = bytes - letterBytes(oldest[2])
    end
    redis.call('SET', deadBytes, string.format('%.0f', math.max(0, bytes)), 'PX', MILLIS)
    redis.call('PEXPIRE', dead, MILLIS)
end

local function run(now)
    local DUE, ITEMS, AGES, STREAM, ENDED, SIZES = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
    local SUBJECT, ID, TOKEN, KNOWN_MILLIS, WHY = unpack(ARGV)
    local item = readItem(ITEMS, ID)
    if not item then
        return { redis.call('EXISTS', ENDED) }
    elseif item.token ~= TOKEN then
        return { 0 }
    end
    local dead = #ARGV >= 8
    local entry = dead and redis.call('XRANGE', STREAM, item.entry, item.entry)[1]
    redis.call('XACK', STREAM, GROUP, item.entry)
    redis.call('XDEL', STREAM, item.entry)
    redis.call('HDEL', ITEMS, ID)
    redis.call('ZREM', AGES, ID)
    removeSize(SIZES, ID, ITEMS)
    redis.call('SET', ENDED, (dead and 'dead ' or 'done ') .. item.attempts, 'PX', KNOWN_MILLIS)
    if entry then
        bury(KEYS[7], KEYS[8], { 'subject', SUBJECT, 'why', WHY, 'attempts', item.attempts, unpack(entry[2]) })
    end
    if redis.call('XLEN', STREAM) == 0 then
        redis.call('DEL', STREAM)
        removeDue(DUE, SUBJECT)
    else
        writeDue(DUE, SUBJECT, now, now)
    end
    return { 1 }
end

