-- Leases the first item of a subject to one worker. No other worker gets an item of this subject until this one reports the
-- outcome, or its lease expires. After an expired lease the same item is leased again, so that the order is kept.
--
-- KEYS     the subjects, the items and their ages as in QueueEnqueue.lua | stream of the subject's items | their bytes as
--          in QueueEnqueue.lua
-- ARGV     subject | a token that no other lease has | name of the worker | micros that the lease lasts
-- Reply    empty if the subject has no item to be leased now; otherwise id | number of this attempt | age of the item in
--          micros | micros since 1970 at which it was enqueued | the fields of the item: name | value...
--
-- The group of the stream has at most one pending entry, which is the first. When memory is full, a first write that needs
-- none (reading an entry is one) lets the other writes pass: emptying a queue must not wait for memory.

-- Removes the items of a subject whose entries were deleted from its stream from outside.
local function forgetLost(items, ages, stream, sizes, subject)
    for _, id in ipairs(redis.call('ZRANGE', ages, 0, -1)) do
        local item = readItem(items, id)
        if item and item.subject == subject and not redis.call('XRANGE', stream, item.entry, item.entry)[1] then
            redis.call('HDEL', items, id)
            redis.call('ZREM', ages, id)
            removeSize(sizes, id, items)
        end
    end
end

-- The entry, or nil if there is none; and whether one was lost.
local function first(stream, worker)
    local pending = redis.call('XPENDING', stream, GROUP, '-', '+', 1)[1]
    if not pending then
        local read = redis.call('XREADGROUP', 'GROUP', GROUP, worker, 'COUNT', 1, 'STREAMS', stream, '>')
        return read and read[1][2][1], not read
    end
    local claimed = redis.call('XCLAIM', stream, GROUP, worker, 0, pending[1])[1]
    if claimed and claimed[2] then
        return claimed, false
    end
    redis.call('XACK', stream, GROUP, pending[1])
    return first(stream, worker), true
end

local function run(now)
    local DUE, ITEMS, AGES, STREAM, SIZES = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
    local SUBJECT, TOKEN, WORKER, LEASE = ARGV[1], ARGV[2], ARGV[3], ARGV[4] + 0
    local due = redis.call('ZSCORE', DUE, SUBJECT)
    if not due or due + 0 > now then
        return {}
    end
    local entry, lost = nil, true
    if redis.call('EXISTS', STREAM) == 1 then
        entry, lost = first(STREAM, WORKER)
    end
    if lost then
        forgetLost(ITEMS, AGES, STREAM, SIZES, SUBJECT)
    end
    if not entry then
        redis.call('DEL', STREAM) -- it may be there without an entry
        removeDue(DUE, SUBJECT)
        return {}
    end
    local fields = entry[2]
    local id, at = fields[2], fields[4]
    local known = readItem(ITEMS, id)
    local attempt = (known and known.attempts or 0) + 1
    writeItem(ITEMS, id, { attempts = attempt, token = TOKEN, entry = entry[1], subject = SUBJECT })
    writeDue(DUE, SUBJECT, now + LEASE, now)
    local reply = { id, attempt, math.max(0, now - at), at + 0 }
    for i = 5, #fields do
        reply[#reply + 1] = fields[i]
    end
    return reply
end

