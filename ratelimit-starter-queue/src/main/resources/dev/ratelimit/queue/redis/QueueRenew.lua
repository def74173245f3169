-- Extends the lease of a worker that has not finished yet.
--
-- KEYS     the subjects and the items as in QueueEnqueue.lua
-- ARGV     subject | id | token of the lease | micros that the lease lasts from now on
-- Reply    1, or 0 if the item is no longer leased to this worker
--
-- PERSIST changes nothing. It is a write that needs no memory, so the other write passes when memory is full.

local function run(now)
    local DUE, ITEMS = KEYS[1], KEYS[2]
    local SUBJECT, ID, TOKEN, LEASE = ARGV[1], ARGV[2], ARGV[3], ARGV[4] + 0
    local item = readItem(ITEMS, ID)
    if not item or item.token ~= TOKEN then
        return { 0 }
    end
    redis.call('PERSIST', DUE)
    writeDue(DUE, SUBJECT, now + LEASE, now)
    return { 1 }
end

