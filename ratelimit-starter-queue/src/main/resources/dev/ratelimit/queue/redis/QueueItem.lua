-- The state of an item beside its request: how often it was leased, the token of its lease (- if it is not leased), its
-- entry in the stream of its subject, and the subject. One text in the hash of all items of the rule, under the item's id.
-- This file precedes the scripts of queues.

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

-- The memory that Redis needs for an item besides its fields, and for a subject that has items. Twin: ItemQueue.Room.
local ITEM_BYTES, SUBJECT_BYTES = 500, 5000
local SUM = '*' -- no id: what all items take, among the bytes of each

local function bytesOf(fields, from)
    local bytes = 0
    for i = from, #fields do
        bytes = bytes + #fields[i]
    end
    return bytes
end

-- The bytes of a dead letter. The fields of the item follow the letter's own fields: what became of the item, its id and
-- when it was enqueued.
local function letterBytes(letter)
    return ITEM_BYTES + bytesOf(letter, 11)
end

local function addSize(sizes, id, bytes)
    redis.call('HSET', sizes, id, bytes)
    redis.call('HINCRBY', sizes, SUM, bytes)
end

-- An item has no size if Redis has evicted the hash.
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

local WRITTEN = '@' -- no subject: when the due subjects were last written, as a negative score

local function writeDue(due, subject, micros, now)
    redis.call('ZADD', due, string.format('%.0f', micros), subject, string.format('%.0f', -now), WRITTEN)
end

local function removeDue(due, subject)
    redis.call('ZREM', due, subject)
    if redis.call('ZCARD', due) == 1 then
        redis.call('ZREM', due, WRITTEN)
    end
end

