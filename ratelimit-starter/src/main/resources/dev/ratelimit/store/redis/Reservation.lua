
-- Permits ahead: takes as many as are wanted, but no more than half of what is left in any window, so that the next caller
-- finds some; and never less than the cost. This script follows the script of an algorithm, which decides.
-- Twin and oracle: dev.ratelimit.store.memory.Reservation.
--
-- ARGV[2]  number of permits wanted, a blank, the cost
-- Reply    that of the algorithm for the number of permits taken or refused, followed by that number

local decideOnce = decide

local function decide(now)
    local wanted, cost = string.match(ARGV[2], '^(%d+) (%d+)$')
    ARGV[2] = '1000000000000000' -- above every threshold: nothing is taken, and the reply shows what is left
    local reply, room = decideOnce(now), math.huge
    for i = 1, #reply, 3 do
        room = math.min(room, reply[i])
    end
    ARGV[2] = string.format('%.0f', math.max(cost, math.min(wanted, math.floor(room / 2))))
    reply = decideOnce(now)
    reply[#reply + 1] = ARGV[2] + 0
    return reply
end
