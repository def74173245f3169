-- Puts a dead letter back into the queue, after the other items of its subject, as if it was enqueued now. Idempotent. The
-- bounds of the queue do not apply, because the operator requests this deliberately.
--
-- KEYS     as in QueueEnqueue.lua | stream of the rule's dead letters | number of bytes of these letters
-- ARGV     subject | id | entry of the letter
-- Reply    1, or 0 if there is no such letter

local function run(now)
    local DUE, ITEMS, AGES, STREAM, ENDED, SIZES = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
    local DEAD, DEAD_BYTES = KEYS[7], KEYS[8]
    local SUBJECT, ID, LETTER = ARGV[1], ARGV[2], ARGV[3]
    local letter = redis.call('XRANGE', DEAD, LETTER, LETTER)[1]
    if not letter or letter[2][2] ~= SUBJECT or letter[2][8] ~= ID then
        return { 0 }
    end
    local fields = { unpack(letter[2], 7) }
    fields[4] = string.format('%.0f', now)
    redis.call('XDEL', DEAD, LETTER)
    redis.call('DEL', ENDED)
    local bytes = redis.call('GET', DEAD_BYTES)
    if bytes then
        redis.call('SET', DEAD_BYTES, string.format('%.0f', math.max(0, bytes - letterBytes(letter[2]))), 'KEEPTTL')
    end
    if redis.call('EXISTS', STREAM) == 0 then
        redis.call('XGROUP', 'CREATE', STREAM, GROUP, '0', 'MKSTREAM')
        writeDue(DUE, SUBJECT, now, now)
    end
    local entry = redis.call('XADD', STREAM, '*', unpack(fields))
    writeItem(ITEMS, ID, { attempts = 0, token = '-', entry = entry, subject = SUBJECT })
    addSize(SIZES, ID, bytesOf(fields, 5))
    redis.call('ZADD', AGES, string.format('%.0f', now), ID)
    if redis.call('XLEN', DEAD) == 0 then
        redis.call('DEL', DEAD)
        redis.call('DEL', DEAD_BYTES)
    end
    return { 1 }
end

