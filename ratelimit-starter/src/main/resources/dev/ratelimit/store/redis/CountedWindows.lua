-- The windows under a key. Each has a record: its length in milliseconds, which identifies it (5 bytes) | index: the number
-- of windows before it (7) | one or two counts, the current one first (7 each) | how often the clock has stepped back behind
-- it, modulo 1000 (2). All are unsigned and little-endian.
--
-- The requested windows come first, in the order of the limit. Up to eight others follow, the most recently requested first,
-- until nothing of them counts any more.
-- Twin and oracle: dev.ratelimit.store.memory.CountedWindows.

-- The records in the order of a limit, and behind them the others. One that is not found has zeros. A text that is not ours
-- counts as nothing: it must neither lock a client out nor crash a decision.
local function arrange(text, key, limit, size, format)
    if type(text) == 'table' then -- as in ReadText.lua
        text = string.find(text.err, 'WRONGTYPE', 1, true) and '' or redis.call('GET', key)
    end
    local records, arranged, others = {}, '', ''
    for at = 1, #text % size == 0 and #text or 0, size do
        local length, index, count, last = struct.unpack(format, text, at)
        if count < 1e15 and last < 1e15 then -- no count of ours is larger than the largest threshold
            records[length] = string.sub(text, at, at + size - 1)
        end
    end
    for i = 6, #limit, 2 do
        local length = limit[i] / 1000
        arranged = arranged .. (records[length] or struct.pack(format, length, 0, 0, 0, 0))
        records[length] = nil
    end
    for at = 1, #text % size == 0 and #text or 0, size do
        others = others .. (records[struct.unpack('<I5', text, at)] or '')
    end
    return arranged, others
end

-- Appends the windows that were not requested. Also returns the time to live including theirs. A count matters until
-- `counts` windows after the start of its own window, and the count stored after it until one window earlier.
local function withOthers(written, others, now, ttl, size, format)
    local counts, last = (size - 14) / 7, #written + 8 * size
    for at = 1, #others, size do
        local length, index, count, before = struct.unpack(format, others, at)
        local lives = count > 0 and counts or counts > 1 and before > 0 and 1 or 0
        local left = (index + lives) * length - now / 1000
        if left > 0 and #written < last and length <= 34560000000 then -- no window is longer than 400 days
            written = written .. string.sub(others, at, at + size - 1)
            ttl = math.max(ttl, math.min(math.ceil(left), counts * length) + 100)
        end
    end
    return written, ttl
end

