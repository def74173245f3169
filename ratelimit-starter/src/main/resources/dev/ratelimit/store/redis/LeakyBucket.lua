-- Leaky bucket, as a meter: every admission pours its cost in, and the threshold leaks out evenly per window; what would
-- make it run over is refused. All it does stands in FlowingBucket.lua.
-- Twin and oracle: dev.ratelimit.store.memory.LeakyBucket.

local decide = takeFromBucket
