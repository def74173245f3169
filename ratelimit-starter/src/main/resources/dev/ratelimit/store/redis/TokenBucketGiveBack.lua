-- Puts the tokens of a request back, as far as it is certain that they are still missing: see Bucket.lua. With intervals
-- it is certain in the interval they came from. Where they had begun it, and others came since, it now ends one window
-- after the last of these: perhaps later than without the request, never earlier.
--
-- ARGV     those of TokenBucket.lua | its receipts
-- Reply    -1 without receipts, else 0 or more

local function giveBackToIntervals()
    local state, count = read(true), (#ARGV - 4) / 5
    if not state[2] then
        return 0
    end
    local last, written = state[2], { 0, state[2] }
    for at = 3, #state - 3, 4 do
        local windowMillis, taken, began, putOff = state[at], state[at + 1], state[at + 2], state[at + 3]
        for w = 0, count - 1 do
            local receipt = tonumber(ARGV[5 + 4 * count + w])
            if tonumber(ARGV[8 + 4 * w]) == windowMillis and floor(receipt / 2) == began then
                taken = taken - COST
                if receipt % 2 == 1 then
                    putOff = max(putOff, last - began)
                end
            end
        end
        if taken > 0 then
            local n = #written
            written[n + 1], written[n + 2], written[n + 3], written[n + 4] = windowMillis, taken, began, putOff
        end
    end
    call('SET', KEY, cmsgpack.pack(unpack(written)), 'KEEPTTL')
    return COST
end

if ARGV[4] == '1' then
    return giveBackToIntervals()
end
return giveBackToBucket(5)
