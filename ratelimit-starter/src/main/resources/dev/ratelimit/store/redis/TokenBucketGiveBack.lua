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
    for w = 0, count - 1 do
        local at, receipt = find(state, tonumber(ARGV[8 + 4 * w]), 3, 4), tonumber(ARGV[5 + 4 * count + w])
        if at and floor(receipt / 2) == state[at + 2] then
            state[at + 1] = max(0, state[at + 1] - COST)
            if receipt % 2 == 1 then
                state[at + 3] = max(state[at + 3], state[2] - state[at + 2])
            end
        end
    end
    call('SET', KEY, cmsgpack.pack(unpack(state)), 'KEEPTTL')
    return COST
end

if ARGV[4] == '1' then
    return giveBackToIntervals()
end
return giveBackToBucket(5)
