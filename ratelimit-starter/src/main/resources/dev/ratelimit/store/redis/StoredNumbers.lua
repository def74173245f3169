-- The numbers under the key, behind a first place of no meaning. What is not ours counts as nothing: it must neither lock
-- anybody out nor crash a decision. Ours are whole, and none is larger than the largest threshold.
local function storedNumbers()
    local value = storedText()
    local held = value and { pcall(cmsgpack.unpack, value) } or {}
    for i = 2, #held do
        local number = held[i]
        if type(number) ~= 'number' or number < 0 or number >= 1e15 or number % 1 ~= 0 then
            return {}
        end
    end
    return held
end

-- Keeps windows from a place on that were not asked about, eight at most, until nothing of them counts any more: a count
-- that many windows behind its own, or the one behind that count one window sooner. Tells the place behind them, and the
-- expiry that they need.
local function keepOthers(held, from, now, fields, windows, ttl)
    local to, last = from, from + 8 * fields
    for at = from, #held + 1 - fields, fields do
        local length, index = held[at], held[at + 1]
        local left = 0
        if held[at + 2] > 0 then
            left = (index + windows) * length - now / 1000
        elseif windows > 1 and held[at + 3] > 0 then
            left = (index + 1) * length - now / 1000
        end
        if left > 0 and to < last and length <= 34560000000 then -- no window is longer than 400 days
            for field = 0, fields - 1 do
                held[to + field] = held[at + field]
            end
            to = to + fields
            ttl = math.max(ttl, math.min(math.ceil(left), windows * length) + 100)
        end
    end
    return to, ttl
end

