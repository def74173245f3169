-- Credits the permits of a request, as far as they are still part of the debt at the last write of a bucket with a steady
-- flow. All of them are certainly still there as long as no more has flowed since the admission than the debt before it,
-- less the other permits released since, which may have been part of that debt. Any flow beyond that may have replaced
-- these permits. Between plans of different rates the fastest counts, as the bucket does not store which of them used it.
--
-- KEYS[1]  that of FlowingBucket.lua
-- ARGV     those of FlowingBucket.lua | a receipt per window | the receipt that they share
-- Reply    -1 without receipts, otherwise 0 or more

local function releaseInBucket()
    local cost, taken, windows = ARGV[2] + 0, ARGV[#ARGV] + 0, (#ARGV - 5) / 5
    local value = readText(KEYS[1])
    if #value < 25 or #value % 18 ~= 6 then
        return 0
    end
    local last, since, given, lives = struct.unpack('<I7I7I4I6', value)
    if taken < since or taken > last then
        return 0
    end
    local rates = {}
    for length, refill in string.gmatch(ARGV[4], ' (%d+) %d+ (%d+) %d+') do
        rates[length + 0] = refill + 0
    end
    local written, credited, counts = '', false, false
    for at = 25, #value, 18 do
        local windowMillis, debt, rest = struct.unpack('<I5I7I6', value, at)
        for w = 0, windows - 1 do
            local i = 5 + 4 * w
            if windowMillis == ARGV[i + 3] + 0 then
                local permit = ARGV[i + 1] + 0
                local lost, part = mulDiv(last - taken, rates[windowMillis] or ARGV[i + 2] + 0, 0, permit)
                lost = lost - math.max(0, ARGV[5 + 4 * windows + w] - 2 - given)
                if lost < 0 then
                    lost, part = 0, 0
                end
                if lost < cost then
                    credited, debt, rest = true, debt - (cost - lost), math.min(rest, permit - 1) + part
                    if rest >= permit then
                        debt, rest = debt + 1, rest - permit
                    end
                    if debt < 0 then
                        debt, rest = 0, 0
                    end
                end
            end
        end
        written = written .. struct.pack('<I5I7I6', windowMillis, debt, rest)
        counts = counts or debt + rest > 0
    end
    if credited then
        given = given + cost
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
return releaseInBucket()
