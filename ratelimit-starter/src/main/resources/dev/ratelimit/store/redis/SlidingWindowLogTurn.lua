
-- A turn: the earliest instant, now or later, at which a sliding-window log has room for a request, and not before the
-- turns given to others, so turns follow the order of the requests. Its entry is dated at that instant. A request that does
-- not wait counts this entry, so no window ever holds more than its threshold. This script follows SlidingWindowLog.lua,
-- which decides.
-- Twin and oracle: dev.ratelimit.store.memory.SlidingWindowLogTurn.
--
-- KEYS[1]  that of SlidingWindowLog.lua. A turn has `~` after its permit id. Member `@` stores when the last one was given,
--          as a negative score, which no window reaches
-- ARGV[2]  cost, micros until the earliest instant of use, micros until the latest, and the maximum number of waiting
--          requests, separated by blanks. Every waiting request is assumed to have the same cost
-- Reply    that of SlidingWindowLog.lua, followed by micros until the turn, 0 without one. The same id gets its previous
--          turn again, unless that is before the earliest instant of use.

local decideNow = decide

local function earliest(now, cost, notBefore)
    local newest, window = newestMicros(now), 0
    local at = math.max(now + notBefore, newest and newest + 0 or 0)
    for i = 5, #ARGV - 1, 2 do
        local threshold = ARGV[i] + 0
        if cost > math.min(threshold, MOST_ACQUIRED) then
            return nil
        end
        window = ARGV[i + 1] + 0
        local rank = string.format('%d', cost - threshold - 1)
        local leaves = redis.call('ZRANGE', KEYS[1], rank, rank, 'WITHSCORES')[2]
        at = math.max(at, leaves and leaves + window or 0)
    end
    return at, window
end

local function hasPlace(now, at, cost, maxQueue)
    return at == now
        or math.floor(redis.call('ZCOUNT', KEYS[1], string.format('(%d', now), '+inf') / cost) < maxQueue
end

local function give(now, at, cost, horizon)
    local key, members = KEYS[1], {}
    for i = 0, cost - 1 do
        members[i + 1] = i == 0 and ARGV[1] or ARGV[1] .. '.' .. i
    end
    stamp('GT', string.format('%d', at), members)
    redis.call('ZADD', key, string.format('%d', -now), '@')
    local ttl = ARGV[4] + math.ceil((at - now) / 1000)
    if longest then
        ttl = math.max(ttl, math.ceil((forget(now, horizon, at, at, 1) - now) / 1000) + 100)
    else
        redis.call('ZREMRANGEBYSCORE', key, '0', string.format('%d', now - horizon))
    end
    redis.call('PEXPIRE', key, string.format('%d', ttl))
end

local function decide(now)
    local cost, notBefore, notAfter, maxQueue = string.match(ARGV[2], '^(%d+) (%d+) (%d+) (%d+)$')
    cost, notBefore, notAfter = cost + 0, notBefore + 0, notAfter + 0
    ARGV[1], ARGV[2] = ARGV[1] .. '~', '1000000000000000' -- above every threshold: nothing is taken, and the reply shows what is left
    local reply, at, horizon = decideNow(now), nil, nil
    local stands = reply[3] == 0
    if stands then
        at = redis.call('ZSCORE', KEYS[1], ARGV[1]) + 0
    end
    if not stands or at < now + notBefore then
        at, horizon = earliest(now, cost, notBefore)
        stands = at and at - now <= notAfter and hasPlace(now, at, cost, maxQueue + 0)
        if stands then
            give(now, at, cost, horizon)
            reply = decideNow(now)
        end
    end
    local wait = at and math.max(0, at - now)
    for i = 3, #reply, 3 do
        reply[i] = stands and 0 or wait or -1
    end
    reply[#reply + 1] = stands and wait or 0
    return reply
end
