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

