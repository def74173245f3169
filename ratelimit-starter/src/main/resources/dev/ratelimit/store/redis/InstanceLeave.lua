-- Removes an instance that is shutting down, so that the others take over its share at their next beat. Needs no time.
--
-- KEYS[1]  the sorted set of InstanceBeat.lua
-- ARGV     instance
-- Reply    1, or 0 if it was removed already

return redis.call('ZREM', KEYS[1], ARGV[1])
