-- Takes a leased item back, to be leased again later; until then it holds back the others of its subject.
--
-- KEYS     the subjects and the items as in QueueEnqueue.lua
-- ARGV     subject | id | token of the lease | micros until the next one | 1 if this was an attempt, 0 if not
-- Reply    1, or 0 if the item is no longer leased to this worker
--
-- PERSIST changes nothing. It is a write that needs no memory, so the other writes pass when memory is full.

local function run(now)
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
    writeDue(DUE, SUBJECT, now + WAIT, now)
    return { 1 }
end

