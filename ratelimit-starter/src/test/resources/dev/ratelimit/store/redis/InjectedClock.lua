
-- The clock of the tests: the time is one more argument, and one more number of the reply.
local now = tonumber(ARGV[#ARGV])
ARGV[#ARGV] = nil
local reply = decide(now)
reply[#reply + 1] = now
return reply
