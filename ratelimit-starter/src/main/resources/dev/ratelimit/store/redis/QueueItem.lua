-- What is known of an item beside its request: how often it was handed out, to whom (a token, or - where nobody has it), its
-- entry in the stream of its subject, and the subject. One text in the hash of all items of the rule, under the item's id.
-- It stands before the scripts of queues.

local GROUP = 'workers' -- the consumer group of each stream

local function readItem(items, id)
    local text = redis.call('HGET', items, id)
    if not text then
        return nil
    end
    local attempts, token, entry, subject = string.match(text, '^(%d+) (%S+) (%S+) (%S+)$')
    return { attempts = attempts + 0, token = token, entry = entry, subject = subject }
end

local function writeItem(items, id, item)
    redis.call('HSET', items, id, table.concat({ item.attempts, item.token, item.entry, item.subject }, ' '))
end

-- What Redis needs for an item besides its fields, and for a subject that has items. Twin: ItemQueue.Room.
local ITEM_BYTES, SUBJECT_BYTES = 500, 5000
local SUM = '*' -- no id: what all items take, among the bytes of each

local function bytesOf(fields, from)
    local bytes = 0
    for i = from, #fields do
        bytes = bytes + #fields[i]
    end
    return bytes
end

-- Of a dead letter: before the fields of the item stand what became of it, its id and when it came.
local function letterBytes(letter)
    return ITEM_BYTES + bytesOf(letter, 11)
end

local function addSize(sizes, id, bytes)
    redis.call('HSET', sizes, id, bytes)
    redis.call('HINCRBY', sizes, SUM, bytes)
end

-- An item that an earlier release put in has no size.
local function removeSize(sizes, id, items)
    local bytes = redis.call('HGET', sizes, id)
    if bytes then
        redis.call('HDEL', sizes, id)
        redis.call('HINCRBY', sizes, SUM, 0 - bytes)
    end
    if redis.call('EXISTS', items) == 0 then
        redis.call('DEL', sizes)
    end
end

local function writeDue(due, subject, micros)
    redis.call('ZADD', due, string.format('%.0f', micros), subject)
end

