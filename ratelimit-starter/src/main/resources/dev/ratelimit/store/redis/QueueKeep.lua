-- Prolongs the lease of a worker that is not done yet.
--
-- KEYS     the subjects, the items and their ages as in QueueEnqueue.lua | stream of the subject's items
-- ARGV     subject | id | token of the hand-out | millis for which the queue is kept if nobody touches it | micros that the lease
--          lasts from now on
-- Reply    1, or 0 where the item is not this worker's any more
--
-- The first write needs no memory, and lets the other through where there is none.

local function decide(now)
    local DUE, ITEMS, AGES, STREAM = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
    local SUBJECT, ID, TOKEN, UNTOUCHED_MILLIS, LEASE = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5] + 0
    local item = readItem(ITEMS, ID)
    if not item or item.token ~= TOKEN then
        return { 0 }
    end
    expire(UNTOUCHED_MILLIS, DUE, ITEMS, AGES, STREAM)
    writeDue(DUE, SUBJECT, now + LEASE)
    return { 1 }
end

