
-- The clock is that of Redis, in microseconds. No other clock is ever used.
local time = redis.call('TIME')
return decide(time[1] * 1000000 + time[2])
