-- The text under the key, or false if there is none. A value of another type is not ours and counts as absent: SET replaces
-- it.
local function storedText()
    local value = redis.pcall('GET', KEYS[1])
    if type(value) ~= 'table' then
        return value
    elseif string.find(value.err, 'WRONGTYPE', 1, true) then
        return false
    end
    return redis.call('GET', KEYS[1]) -- to fail as it did
end

