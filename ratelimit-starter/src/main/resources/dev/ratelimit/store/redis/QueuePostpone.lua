-- Takes an item back, to be handed out later; until then it holds back the others of its subject.
--
-- KEYS     the subjects, the items and their ages as in QueueEnqueue.lua | stream of the subject's items
-- ARGV     subject | id | token of the hand-out | millis for which the queue is kept if nobody touches it | micros until the next
--          hand-out | 1 where this was an attempt, 0 where not
-- Reply    1, or 0 where the item is not this worker's any more
--
-- The first write needs no memory, and lets the others through where there is none.

local function decide(now)
    local DUE, ITEMS, AGES, STREAM = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
    local SUBJECT, ID, TOKEN, UNTOUCHED_MILLIS, WAIT, COUNTS = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5] + 0, ARGV[6]
    local item = readItem(ITEMS, ID)
    if not item or item.token ~= TOKEN then
        return { 0 }
    end
    expire(UNTOUCHED_MILLIS, DUE, ITEMS, AGES, STREAM)
    item.token = '-'
    item.attempts = item.attempts - (COUNTS == '1' and 0 or 1)
    writeItem(ITEMS, ID, item)
    writeDue(DUE, SUBJECT, now + WAIT)
    return { 1 }
end

