-- Removes an instance that is shutting down, so that the others take over its share at their next beat. Needs no time.
--
-- KEYS     the sorted sets of InstanceBeat.lua
-- ARGV     instance
-- Reply    1, or 0 if it was removed already

local removed = redis.call('ZREM', KEYS[1], ARGV[1])
redis.pcall('ZREM', KEYS[2], ARGV[1])
return removed
