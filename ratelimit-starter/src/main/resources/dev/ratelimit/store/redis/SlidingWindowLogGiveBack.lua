-- Releases the permits of a request from its sliding-window log, as if they had never been admitted. Idempotent; counted
-- refusals carry a mark and stay. Needs no time.
--
-- KEYS[1]  the sorted set of SlidingWindowLog.lua
-- ARGV     permit id | cost
-- Reply    the number of permits released

local KEY, ID, COST = KEYS[1], ARGV[1], tonumber(ARGV[2])
local CHUNK = 1000 -- members per ZREM: unpack is bounded by the Lua stack

local removed = 0
for from = 0, COST - 1, CHUNK do
    local members = {}
    for i = from, math.min(from + CHUNK, COST) - 1 do
        members[#members + 1] = i == 0 and ID or ID .. '.' .. i
    end
    local count = redis.pcall('ZREM', KEY, unpack(members))
    if type(count) == 'table' then
        if not string.find(count.err, 'WRONGTYPE', 1, true) then
            return count
        end
        return 0 -- nothing of ours
    end
    removed = removed + count
end
-- Where turns are given, the set holds a mark, which must not stay alone.
if removed > 0 and string.sub(ID, -1) == '~' and redis.call('ZCOUNT', KEY, '0', '+inf') == 0 then
    redis.call('PEXPIRE', KEY, '-1')
end
return removed
