-- Releases the permits of a request from its sliding-window log, as if they had never been admitted. Idempotent; counted
-- refusals carry a mark and stay. Needs no time.
--
-- KEYS[1]  the sorted set of SlidingWindowLog.lua
-- ARGV     permit id | cost
-- Reply    the number of permits released

local KEY, ID, COST = KEYS[1], ARGV[1], tonumber(ARGV[2])
local members = { ID }
for i = 1, COST - 1 do
    members[i + 1] = ID .. '.' .. i
end
local removed = redis.pcall('ZREM', KEY, unpack(members))
if type(removed) == 'table' then
    if not string.find(removed.err, 'WRONGTYPE', 1, true) then
        return removed
    end
    return 0 -- nothing of ours
end
-- Where turns are given, the set holds a mark, which must not stay alone.
if removed > 0 and string.sub(ID, -1) == '~' and redis.call('ZCOUNT', KEY, '0', '+inf') == 0 then
    redis.call('PEXPIRE', KEY, '-1')
end
return removed
