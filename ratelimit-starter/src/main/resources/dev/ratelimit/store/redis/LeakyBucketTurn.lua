
-- A turn: the instant, now or later, at which the bucket has leaked out all earlier requests. So turns follow the order of
-- the requests, and the pace of the bucket, the slowest of several. A request whose permits do not fit into the bucket gets
-- no turn. This script follows LeakyBucket.lua, which decides.
-- Twin and oracle: dev.ratelimit.store.memory.LeakyBucketTurn.
--
-- ARGV[2]  cost, 0, micros until the latest instant of use, and an unused number, separated by blanks: the bucket itself
--          bounds the number of waiting requests
-- Reply    that of LeakyBucket.lua, followed by micros until the turn, 0 without one. If permits are taken, the only
--          receipts are, per window, -(when all of it has leaked out)

local decideNow = decide

local function decide(now)
    local cost, notAfter = string.match(ARGV[2], '^(%d+) 0 (%d+) %d+$')
    ARGV[2] = '1000000000000000' -- above every capacity: nothing is taken, and the reply shows when all has leaked out
    local reply, wait = decideNow(now), 0
    for i = 2, #reply, 3 do
        wait = math.max(wait, reply[i])
    end
    ARGV[2] = cost
    local late = wait - notAfter
    if late > 0 then
        for i = 1, #reply, 3 do
            local a = 5 + (i - 1) / 3 * 4
            local room = ARGV[a] - cost
            reply[i + 2] = room < 0 and -1
                or math.max(late, reply[i + 1] - mulDiv(room, ARGV[a + 1] + 0, 0, ARGV[a + 2] + 0))
        end
        reply[#reply + 1] = 0
        return reply
    end
    reply = decideNow(now)
    local refused = #reply % 3 == 0
    for i = 1, #reply - 1, 3 do
        reply[i + 2] = refused and reply[i + 2] or -now - reply[i + 1]
    end
    reply[#reply + (refused and 1 or 0)] = refused and 0 or wait
    return reply
end
