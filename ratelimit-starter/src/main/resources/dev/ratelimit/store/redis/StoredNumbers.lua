-- The numbers under the key, after an unused first place. A value that is not ours counts as empty: it must neither lock a
-- client out nor crash a decision. Ours are whole, and none is larger than the largest threshold.
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

-- Keeps, from a place on, at most eight windows that were not requested, until nothing of them counts any more. A count
-- matters until `windows` windows after the start of its own window, and the count stored after it until one window
-- earlier. Returns the place after them, and the expiry that they need.
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

