-- Sliding-window log: every admission is remembered with its time, and no window ever holds more than its threshold.
-- Twin and oracle: dev.ratelimit.store.memory.SlidingWindowLog.
--
-- KEYS[1]  sorted set, all windows in one. Score: microseconds. Member: the permit id, `<id>.<n>` for the n-th further
--          permit of the same request; with `!` behind it, a refusal that was counted.
-- ARGV     permit id | cost | trimToRank: '0' where refusals are not counted, else the last rank beyond the largest
--          threshold | ttlMillis | per window, the shortest first: threshold, windowMicros
-- Reply    per window: remaining | micros until it is empty | micros until a retry of the same cost can succeed,
--          0 where it does not refuse, -1 where waiting cannot help. Admitted if and only if no window refuses.
--
-- A window holds the entries with score > now - window. Microseconds of this century stay exact in a Lua number (2^53),
-- but not in its text: they become text by %.0f only.

local KEY, ID, COST, TRIM_TO_RANK, TTL_MILLIS = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local COUNTS_REFUSALS = TRIM_TO_RANK ~= '0'
local CHUNK = 1000 -- members per ZADD: unpack is bounded by the Lua stack

local function text(number)
    return string.format('%.0f', number)
end

local function stamp(mode, micros, count, memberAt)
    local changed = 0
    for from = 1, count, CHUNK do
        local pairsOf = {}
        for i = from, math.min(from + CHUNK - 1, count) do
            pairsOf[#pairsOf + 1] = micros
            pairsOf[#pairsOf + 1] = memberAt(i)
        end
        changed = changed + redis.call('ZADD', KEY, mode, unpack(pairsOf))
    end
    return changed
end

-- Where the clock has stepped back, entries of the future count as of now, so that nobody waits longer than a window.
local function newestMicros(now)
    local newest = tonumber(redis.call('ZRANGE', KEY, '-1', '-1', 'WITHSCORES')[2])
    if not newest or newest <= now then
        return newest
    end
    local future = redis.call('ZRANGE', KEY, '(' .. text(now), '+inf', 'BYSCORE')
    stamp('XX', text(now), #future, function(i) return future[i] end)
    redis.call('PEXPIRE', KEY, TTL_MILLIS)
    return now
end

-- Adds what is not there yet, so that the same request never counts twice, and answers how much that was.
local function remember(now, mark, count)
    local added = stamp('NX', text(now), count, function(i)
        return (i == 1 and ID or ID .. '.' .. (i - 1)) .. mark
    end)
    redis.call('PEXPIRE', KEY, TTL_MILLIS)
    return added
end

local function decide(now)
    local newest = newestMicros(now)
    local thresholds, windows, used, full = {}, {}, {}, false
    for i = 5, #ARGV - 1, 2 do
        local threshold, window = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
        local held = 0
        if newest and newest > now - window then
            held = redis.call('ZCOUNT', KEY, '(' .. text(now - window), '+inf')
        end
        thresholds[#thresholds + 1], windows[#windows + 1], used[#used + 1] = threshold, window, held
        full = full or COST > threshold - held
    end
    local horizon = windows[#windows]

    -- A request that is sent again gets its first answer: it is decided otherwise now only if it left the other mark.
    local stands = false
    if newest and (full or COUNTS_REFUSALS) then
        local first = redis.call('ZSCORE', KEY, full and ID or ID .. '!')
        stands = first and tonumber(first) > now - horizon
    end
    local refused = full ~= stands

    if not stands and (COUNTS_REFUSALS or not full) then
        local largest = -1 - tonumber(TRIM_TO_RANK)
        if newest then -- a new key begins with ZADD: only the first write of a script is refused for lack of memory
            redis.call('ZREMRANGEBYSCORE', KEY, '-inf', text(now - horizon))
        end
        local added = full and remember(now, '!', math.min(COST, largest)) or remember(now, '', COST)
        if full then
            redis.call('ZREMRANGEBYRANK', KEY, '0', TRIM_TO_RANK)
        end
        for i = 1, #used do
            used[i] = full and math.min(used[i] + added, largest) or used[i] + added
        end
        newest = added > 0 and now or newest
    end

    local reply = {}
    for i = 1, #used do
        local retry = (refused and stands) and 1 or 0
        if refused and COST > thresholds[i] then
            retry = -1
        elseif refused and COST > thresholds[i] - used[i] then
            local rank = text(COST - thresholds[i] - 1)
            retry = redis.call('ZRANGE', KEY, rank, rank, 'WITHSCORES')[2] + windows[i] - now
        end
        reply[#reply + 1] = math.max(0, thresholds[i] - used[i])
        reply[#reply + 1] = newest and math.max(0, newest + windows[i] - now) or 0
        reply[#reply + 1] = retry
    end
    return reply
end
