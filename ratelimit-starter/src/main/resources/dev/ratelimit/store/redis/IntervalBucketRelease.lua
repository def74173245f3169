-- Puts the tokens of a request back into the interval that they came from, unless another one has begun. If they had begun
-- it, and others were taken since, the interval now ends one window after the last of these, even if it was over: perhaps
-- later than without the request, never earlier.
--
-- KEYS[1]  that of IntervalBucket.lua
-- ARGV     those of IntervalBucket.lua | a receipt per window
-- Reply    -1 without receipts, otherwise 0

local function releaseInIntervals()
    local value, windows = readText(KEYS[1]), (#ARGV - 4) / 5
    if #value % 26 ~= 7 then
        return 0
    end
    local last = struct.unpack('<I7', value)
    local written, counts = struct.pack('<I7', last), false
    for at = 8, #value, 26 do
        local windowMillis, taken, began, start = struct.unpack('<I5I7I7I7', value, at)
        for w = 0, windows - 1 do
            local receipt = ARGV[5 + 4 * windows + w] + 0
            if windowMillis == ARGV[8 + 4 * w] + 0 and math.floor(receipt / 2) == began then
                taken = math.max(0, taken - ARGV[2])
                if receipt % 2 == 1 or start > began then -- the one that it was put off to may be this one
                    start = math.max(start, last)
                end
            end
        end
        written = written .. struct.pack('<I5I7I7I7', windowMillis, taken, began, start)
        counts = counts or taken > 0
    end
    storeOrForget(written, counts)
    return 0
end

if #ARGV == 2 then
    return -1
end
return releaseInIntervals()
