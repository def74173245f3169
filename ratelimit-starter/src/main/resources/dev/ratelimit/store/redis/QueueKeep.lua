-- Prolongs the lease of a worker that is not done yet.
--
-- KEYS     the subjects and the items as in QueueEnqueue.lua
-- ARGV     subject | id | token of the hand-out | micros that the lease lasts from now on
-- Reply    1, or 0 where the item is not this worker's any more
--
-- PERSIST changes nothing: it is a write that needs no memory, and lets the other through where there is none.

local function decide(now)
    local DUE, ITEMS = KEYS[1], KEYS[2]
    local SUBJECT, ID, TOKEN, LEASE = ARGV[1], ARGV[2], ARGV[3], ARGV[4] + 0
    local item = readItem(ITEMS, ID)
    if not item or item.token ~= TOKEN then
        return { 0 }
    end
    redis.call('PERSIST', DUE)
    writeDue(DUE, SUBJECT, now + LEASE)
    return { 1 }
end

