-- Leaky bucket, as a meter: every admission pours its cost in, and the threshold leaks out evenly per window; what would
-- make it run over is refused. All it does stands in Bucket.lua.
-- Twin and oracle: dev.ratelimit.store.memory.LeakyBucket.
--
-- ARGV     permit id | cost | ttlMillis | the windows of Bucket.lua

local function decide(now)
    return takeFromBucket(4, now)
end
