-- Takes an item back, to be handed out later; until then it holds back the others of its subject.
--
-- KEYS     the subjects and the items as in QueueEnqueue.lua
-- ARGV     subject | id | token of the hand-out | micros until the next one | 1 where this was an attempt, 0 where not
-- Reply    1, or 0 where the item is not this worker's any more
--
-- PERSIST changes nothing: it is a write that needs no memory, and lets the others through where there is none.

local function decide(now)
    local DUE, ITEMS = KEYS[1], KEYS[2]
    local SUBJECT, ID, TOKEN, WAIT, COUNTS = ARGV[1], ARGV[2], ARGV[3], ARGV[4] + 0, ARGV[5]
    local item = readItem(ITEMS, ID)
    if not item or item.token ~= TOKEN then
        return { 0 }
    end
    redis.call('PERSIST', DUE)
    item.token = '-'
    item.attempts = item.attempts - (COUNTS == '1' and 0 or 1)
    writeItem(ITEMS, ID, item)
    writeDue(DUE, SUBJECT, now + WAIT)
    return { 1 }
end

