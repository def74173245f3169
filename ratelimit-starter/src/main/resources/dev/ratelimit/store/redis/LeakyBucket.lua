-- Leaky bucket, as a meter: every admission pours its cost in, and the threshold leaks out evenly per window. A request
-- that would make it overflow is refused. All of this is implemented in FlowingBucket.lua.
-- Twin and oracle: dev.ratelimit.store.memory.LeakyBucket.

local decide = takeFromBucket
