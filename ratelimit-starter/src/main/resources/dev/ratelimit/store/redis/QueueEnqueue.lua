-- Puts an item behind the others of its subject, durably. The same id is never put in twice, whatever became of it.
--
-- KEYS     sorted set of the rule's subjects that have items: subject -> micros when the first of them is to be handed out |
--          hash of all items: id -> see QueueItem.lua | sorted set of all items: id -> micros when they came | stream of the
--          subject's items | how the item ended
-- ARGV     subject | id | how many a subject may have | how many the rule may have | the fields of the item: name | value...
-- Reply    1, or where there is no room 0 for this subject, -1 for nobody
--
-- None of the keys expires while it holds items; each is gone with its last item.

local function decide(now)
    local DUE, ITEMS, AGES, STREAM, ENDED = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
    local SUBJECT, ID, MOST, MOST_IN_ALL = ARGV[1], ARGV[2], ARGV[3] + 0, ARGV[4] + 0
    if redis.call('HEXISTS', ITEMS, ID) == 1 or redis.call('EXISTS', ENDED) == 1 then
        return { 1 }
    end
    if redis.call('XLEN', STREAM) >= MOST then
        return { 0 }
    end
    if redis.call('HLEN', ITEMS) >= MOST_IN_ALL then
        return { -1 }
    end
    local fields = { 'id', ID, 'at', string.format('%.0f', now) }
    for i = 5, #ARGV - #ARGV % 2, 2 do
        fields[#fields + 1] = ARGV[i]
        fields[#fields + 1] = ARGV[i + 1]
    end
    if redis.call('EXISTS', STREAM) == 0 then
        redis.call('XGROUP', 'CREATE', STREAM, GROUP, '0', 'MKSTREAM')
        writeDue(DUE, SUBJECT, now)
    end
    local entry = redis.call('XADD', STREAM, '*', unpack(fields))
    writeItem(ITEMS, ID, { attempts = 0, token = '-', entry = entry, subject = SUBJECT })
    redis.call('ZADD', AGES, string.format('%.0f', now), ID)
    return { 1 }
end

