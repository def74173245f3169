-- Takes a turn out of its leaky bucket if it is the last one, which frees its time. Otherwise the turn lapses: no request
-- is pulled forward, and no instant is given twice.
--
-- KEYS[1]  that of FlowingBucket.lua
-- ARGV     those of FlowingBucket.lua | the receipt per window
-- Reply    -1 without receipts, otherwise the number of permits requested

local function releaseTurn()
    local cost, windows, lasts = ARGV[2] + 0, (#ARGV - 4) / 5, 0
    local value = readText(KEYS[1])
    if #value < 25 or #value % 18 ~= 6 then
        return cost
    end
    local last, since, given, lives = struct.unpack('<I7I7I4I6', value)
    local written, counts = '', false
    for at = 25, #value, 18 do
        local windowMillis, debt, rest = struct.unpack('<I5I7I6', value, at)
        for w = 0, windows - 1 do
            local i = 5 + 4 * w
            if windowMillis == ARGV[i + 3] + 0 then
                local refill = ARGV[i + 2] + 0
                if last + mulDiv(debt, ARGV[i + 1] + 0, rest + refill - 1, refill) == ARGV[5 + 4 * windows + w] + 0 then
                    lasts = lasts + 1
                end
                debt = debt - cost
            end
        end
        written = written .. struct.pack('<I5I7I6', windowMillis, math.max(0, debt), rest)
        counts = counts or debt > 0 or rest > 0
    end
    given = given + cost
    if lasts == windows then
        if given >= 2 ^ 31 then -- more than is stored
            since, given = last + 1, 0
        end
        storeOrForget(struct.pack('<I7I7I4I6', last, since, given, lives) .. written, counts)
    end
    return cost
end

if #ARGV == 2 then
    return -1
end
return releaseTurn()
