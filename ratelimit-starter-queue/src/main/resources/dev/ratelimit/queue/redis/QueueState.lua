-- Returns the state of an item. Needs no time.
--
-- KEYS     the items as in QueueEnqueue.lua | how the item ended
-- ARGV     id
-- Reply    queued, running, done or dead | how often it was leased; empty if the item is unknown

local item = readItem(KEYS[1], ARGV[1])
if item then
    return { item.token == '-' and 'queued' or 'running', item.attempts }
end
local ended = redis.call('GET', KEYS[2])
if not ended then
    return {}
end
local state, attempts = string.match(ended, '^(%a+) (%d+)$')
return { state, attempts + 0 }
