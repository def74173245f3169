-- A turn: the instant, now or later, at which the bucket has leaked out all earlier requests. So turns follow the order of
-- the requests, and the pace of the bucket, the slowest of several. A request whose permits do not fit into the bucket gets
-- no turn.
-- Twin and oracle: dev.ratelimit.store.memory.LeakyBucketTurn.
--
-- ARGV     those of a call on one key in Keys.lua, with these in the place of the cost, separated by blanks: cost, 0, micros
--          until the latest instant of use, and an unused number: the bucket itself bounds the number of waiting requests
-- Reply    that of FlowingBucket.lua, followed by micros until the turn, 0 without one. If permits are taken, the only
--          receipts are, per window, -(when all of it has leaked out)
local function decide(now)
    local cost, notAfter = string.match(ARGV[2], '^(%d+) 0 (%d+) %d+$')
    local key, limit, state, reply, wait = KEYS[1], limitOf(ARGV), {}, {}, 0
    local changed = read(state, now, key, limit)
    local n, taken = judge(state, now, limit, ARGV[1], cost + 0, 'look', reply, 0)
    for i = 2, n, 3 do
        wait = math.max(wait, reply[i])
    end
    local late = wait - notAfter
    if late <= 0 then
        n, taken = judge(state, now, limit, ARGV[1], cost + 0, 'take', reply, 0)
    end
    n = n - n % 3
    for i = 1, n, 3 do
        local a = 5 + (i - 1) / 3 * 4
        local room = limit[a] - cost
        if taken then
            reply[i + 2] = -now - reply[i + 1]
        elseif late > 0 then
            reply[i + 2] = room < 0 and -1 or math.max(late, reply[i + 1] - mulDiv(room, limit[a + 1], 0, limit[a + 2]))
        end
    end
    if changed or taken then
        write(state, now, key, limit)
    end
    reply[n + 1] = taken and wait or 0
    return reply
end
