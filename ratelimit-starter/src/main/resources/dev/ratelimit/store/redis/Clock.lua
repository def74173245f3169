
-- The clock: Redis' own, in microseconds. Nobody else's time is ever taken.
local time = redis.call('TIME')
return decide(time[1] * 1000000 + time[2])
