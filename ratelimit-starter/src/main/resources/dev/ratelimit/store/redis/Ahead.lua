-- Permits ahead: takes as many as are wanted, but no more than half of what is left in any window, so that the next caller
-- finds some; and never less than the cost.
-- Twin and oracle: dev.ratelimit.store.memory.Reservation.
--
-- ARGV     those of a call on one key in Keys.lua, with the number of permits wanted, a blank and the cost in the place of
--          the cost
-- Reply    that of the algorithm for the number of permits taken or refused, followed by that number
local function decide(now)
    local wanted, cost = string.match(ARGV[2], '^(%d+) (%d+)$')
    local key, limit, state, reply, room = KEYS[1], limitOf(ARGV), {}, {}, math.huge
    local changed = read(state, now, key, limit)
    for i = 1, judge(state, now, limit, ARGV[1], 1, 'look', reply, 0), 3 do
        room = math.min(room, reply[i])
    end
    local permits = math.max(cost, math.min(wanted, math.floor(room / 2)))
    local n, taken = judge(state, now, limit, ARGV[1], permits, 'take', reply, 0)
    if changed or taken then
        write(state, now, key, limit)
    end
    reply[n + 1] = permits
    return reply
end
