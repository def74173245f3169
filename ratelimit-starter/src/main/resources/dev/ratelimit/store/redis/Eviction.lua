-- Reports whether Redis evicts keys when its memory is full. All keys of the limiter expire, so every policy but noeviction
-- may choose them. Reads no key; the declared one only selects the node.
--
-- KEYS[1]  any key of the limiter
-- Reply    the policy | the limit of the memory in bytes; empty if no key is evicted, or if the limiter may not read the
--          settings

local info = redis.pcall('INFO', 'memory')
if type(info) == 'table' then
    return {}
end
local policy = string.match(info, 'maxmemory_policy:([%w-]+)')
local limit = string.match(info, 'maxmemory:(%d+)')
if not policy or not limit or policy == 'noeviction' or limit == '0' then
    return {}
end
return { policy, limit }
