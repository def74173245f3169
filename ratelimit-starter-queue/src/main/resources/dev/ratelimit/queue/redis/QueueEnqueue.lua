-- Enqueues an item durably, after the others of its subject. The same id is never enqueued twice, whatever became of it.
--
-- KEYS     sorted set of the rule's subjects that have items: subject -> micros when the first of them is to be leased, and
--          @ as in QueueItem.lua |
--          hash of all items: id -> see QueueItem.lua | sorted set of all items: id -> micros when they were enqueued |
--          stream of the subject's items | how the item ended | hash of the bytes of all items: id -> bytes of its fields,
--          * -> their sum
-- ARGV     subject | id | maximum number of items of a subject | maximum number of items of the rule | maximum number of
--          bytes of the rule | the fields of the item: name | value...
-- Reply    1; if there is no room, 0 for this subject or -1 for all subjects
--
-- None of the keys expires while it holds items; each is gone with its last item.

local function run(now)
    local DUE, ITEMS, AGES, STREAM, ENDED, SIZES = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
    local SUBJECT, ID, MOST, MOST_IN_ALL, MOST_BYTES = ARGV[1], ARGV[2], ARGV[3] + 0, ARGV[4] + 0, ARGV[5] + 0
    if redis.call('HEXISTS', ITEMS, ID) == 1 or redis.call('EXISTS', ENDED) == 1 then
        return { 1 }
    end
    if redis.call('XLEN', STREAM) >= MOST then
        return { 0 }
    end
    local fields = { 'id', ID, 'at', string.format('%.0f', now) }
    for i = 6, #ARGV - 1, 2 do
        fields[#fields + 1] = ARGV[i]
        fields[#fields + 1] = ARGV[i + 1]
    end
    local items, first, bytes = redis.call('HLEN', ITEMS), redis.call('EXISTS', STREAM) == 0, bytesOf(fields, 5)
    local subjects = math.max(0, redis.call('ZCARD', DUE) - 1) + (first and 1 or 0)
    local sum = items > 0 and redis.call('HGET', SIZES, SUM) or 0
    local all = sum + bytes + (items + 1) * ITEM_BYTES + subjects * SUBJECT_BYTES
    if items >= MOST_IN_ALL or all > MOST_BYTES then
        return { -1 }
    end
    if first then
        redis.call('XGROUP', 'CREATE', STREAM, GROUP, '0', 'MKSTREAM')
        writeDue(DUE, SUBJECT, now, now)
    end
    local entry = redis.call('XADD', STREAM, '*', unpack(fields))
    writeItem(ITEMS, ID, { attempts = 0, token = '-', entry = entry, subject = SUBJECT })
    if items == 0 then
        redis.call('DEL', SIZES) -- of items that Redis has evicted
    end
    addSize(SIZES, ID, bytes)
    redis.call('ZADD', AGES, string.format('%.0f', now), ID)
    return { 1 }
end

