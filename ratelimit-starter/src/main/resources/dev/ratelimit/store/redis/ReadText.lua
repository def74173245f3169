-- The text under a key, empty if there is none. A value of another type is not ours and counts as absent: SET replaces it.
local function readText(key)
    local value = redis.pcall('GET', key) or ''
    if type(value) ~= 'table' then
        return value
    elseif string.find(value.err, 'WRONGTYPE', 1, true) then
        return ''
    end
    return redis.call('GET', key) -- to fail as it did
end

