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

local function writeDue(due, subject, micros)
    redis.call('ZADD', due, string.format('%.0f', micros), subject)
end

