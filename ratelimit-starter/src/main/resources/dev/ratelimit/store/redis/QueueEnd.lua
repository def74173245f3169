-- Ends an item, which is done or dead; the next one of its subject may be handed out at once. Repeated, it changes nothing.
--
-- KEYS     the subjects, the items and their ages as in QueueEnqueue.lua | stream of the subject's items | how the item ended |
--          stream of the rule's dead letters
-- ARGV     subject | id | token of the hand-out | millis for which the end is known | of a dead item also: why | how many dead
--          letters are kept | millis for which they are kept
-- Reply    1, or 0 where the item is not this worker's any more

local function decide(now)
    local DUE, ITEMS, AGES, STREAM, ENDED, DEAD = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
    local SUBJECT, ID, TOKEN, KNOWN_MILLIS, WHY, MOST_DEAD, DEAD_MILLIS = unpack(ARGV)
    local item = readItem(ITEMS, ID)
    if not item then
        return { redis.call('EXISTS', ENDED) }
    elseif item.token ~= TOKEN then
        return { 0 }
    end
    local dead = #ARGV >= 7
    local entry = dead and redis.call('XRANGE', STREAM, item.entry, item.entry)[1]
    redis.call('XACK', STREAM, GROUP, item.entry)
    redis.call('XDEL', STREAM, item.entry)
    redis.call('HDEL', ITEMS, ID)
    redis.call('ZREM', AGES, ID)
    redis.call('SET', ENDED, (dead and 'dead ' or 'done ') .. item.attempts, 'PX', KNOWN_MILLIS)
    if entry then
        redis.call('XADD', DEAD, 'MAXLEN', MOST_DEAD, '*', 'subject', SUBJECT, 'why', WHY, 'attempts', item.attempts,
            unpack(entry[2]))
        redis.call('PEXPIRE', DEAD, DEAD_MILLIS)
    end
    if redis.call('XLEN', STREAM) == 0 then
        redis.call('DEL', STREAM)
        redis.call('ZREM', DUE, SUBJECT)
    else
        writeDue(DUE, SUBJECT, now)
    end
    return { 1 }
end

