-- The windows under a key. Each has a record: its length in milliseconds, which identifies it (5 bytes) | index: the number
-- of windows before it (7) | one or two counts, the current one first (7 each) | how often the clock has stepped back behind
-- it, modulo 1000 (2). All are unsigned and little-endian. `fields` is how many numbers a record has.

local function formatOf(fields)
    return fields == 4 and '<I5I7I7I2' or '<I5I7I7I7I2', 7 * fields - 7
end

-- The numbers of all windows, after an unused first place. A text that is not ours counts as nothing: it must neither lock a
-- client out nor crash a decision. No number of ours is larger than the largest threshold.
local function storedNumbers(fields)
    local value, format, size = storedText(), formatOf(fields)
    local held = { true }
    if value and #value % size == 0 then
        for at = 1, #value, size do
            local n, length, index, count, fourth, fifth = #held, struct.unpack(format, value, at)
            if index >= 1e15 or count >= 1e15 or fourth >= 1e15 then
                return { true }
            end
            held[n + 1], held[n + 2], held[n + 3], held[n + 4] = length, index, count, fourth
            if fields == 5 then
                held[n + 5] = fifth
            end
        end
    end
    return held
end

-- The text of the numbers from a first place to a last one.
local function textOf(held, first, last, fields)
    local text, format = '', formatOf(fields)
    for at = first, last, fields do
        text = text .. struct.pack(format, held[at], held[at + 1], held[at + 2], held[at + 3], held[at + 4])
    end
    return text
end

