
-- A turn: the earliest instant, now or later, at which a sliding-window log has room for a request, and not before the
-- turns given to others, so turns follow the order of the requests. Its entry is dated at that instant. A request that does
-- not wait counts this entry, so no window ever holds more than its threshold.
-- Twin and oracle: dev.ratelimit.store.memory.SlidingWindowLogTurn.
--
-- KEYS[1]  that of SlidingWindowLog.lua. A turn has `~` after its permit id. Member `@` stores when the last one was given,
--          as a negative score, which no window reaches
-- ARGV     those of a call on one key in Keys.lua, with these in the place of the cost, separated by blanks: cost, micros
--          until the earliest instant of use, micros until the latest, and the maximum number of waiting requests. Every
--          waiting request is assumed to have the same cost
-- Reply    that of SlidingWindowLog.lua, followed by micros until the turn, 0 without one. The same id gets its previous
--          turn again, unless that is before the earliest instant of use.

local function earliest(now, cost, notBefore, limit)
    local newest = newestMicros(now, limit)
    local at = math.max(now + notBefore, newest and newest + 0 or 0)
    for i = 5, #limit, 2 do
        local threshold, window = limit[i], limit[i + 1]
        if cost > math.min(threshold, MOST_ACQUIRED) then
            return nil
        end
        local rank = string.format('%d', cost - threshold - 1)
        local leaving = held > 0 and redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2]
        at = math.max(at, leaving and leaving + window or 0)
    end
    return at
end

local function hasPlace(now, at, cost, maxQueue)
    local waiting = at > now and held > 0 and redis.call('ZCOUNT', key, string.format('(%d', now), '+inf') or 0
    return at == now or math.floor(waiting / cost) < maxQueue
end

local function give(now, at, id, cost, limit)
    local members, window, ttl = {}, limit[#limit], limit[3] + math.ceil((at - now) / 1000)
    for i = 0, cost - 1 do
        members[i + 1] = i == 0 and id or id .. '.' .. i
    end
    if isForeign then
        redis.call('PEXPIRE', key, '-1')
    end
    stamp('GT', string.format('%d', at), members)
    redis.call('ZADD', key, string.format('%d', -now), '@')
    if longest then
        ttl = math.max(ttl, math.ceil((forget(now, window, at, at, 1) - now) / 1000) + 100)
    else
        redis.call('ZREMRANGEBYSCORE', key, '0', string.format('%d', now - window))
    end
    redis.call('PEXPIRE', key, string.format('%d', ttl))
end

local function decide(now)
    local cost, notBefore, notAfter, maxQueue = string.match(ARGV[2], '^(%d+) (%d+) (%d+) (%d+)$')
    local id, limit, state, reply = ARGV[1] .. '~', limitOf(ARGV), {}, {}
    read(state, now, KEYS[1], limit)
    newestMicros(now, limit) -- which may move the entry that is asked for now
    local given = held > 0 and redis.call('ZSCORE', key, id)
    local at = given and given + 0
    local stands = at and at > now - limit[#limit]
    if not stands or at < now + notBefore then
        at = earliest(now, cost + 0, notBefore + 0, limit)
        stands = at and at - now <= notAfter + 0 and hasPlace(now, at, cost, maxQueue + 0)
        if stands then
            give(now, at, id, cost, limit)
            read(state, now, KEYS[1], limit)
        end
    end
    local wait, n = at and math.max(0, at - now), judge(state, now, limit, id, 1, 'look', reply, 0)
    for i = 3, n, 3 do
        reply[i] = stands and 0 or wait or -1
    end
    reply[n + 1] = stands and wait or 0
    return reply
end
