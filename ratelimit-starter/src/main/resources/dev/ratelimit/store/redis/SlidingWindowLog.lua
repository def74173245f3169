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

local KEY, ID, TRIM_TO_RANK, TTL_MILLIS = KEYS[1], ARGV[1], ARGV[3], ARGV[4]
local COST -- is told anew for every decision
local COUNTS_REFUSALS = TRIM_TO_RANK ~= '0'
local CHUNK = 1000 -- members per ZADD: unpack is bounded by the Lua stack

local call, format = redis.call, string.format

local function stamp(mode, microsText, members)
    local changed = 0
    for from = 1, #members, CHUNK do
        local scored = {}
        for i = from, math.min(from + CHUNK - 1, #members) do
            scored[#scored + 1] = microsText
            scored[#scored + 1] = members[i]
        end
        changed = changed + call('ZADD', KEY, mode, unpack(scored))
    end
    return changed
end

-- Another type of value is not ours and is deleted, by PEXPIRE, which needs no further right.
local function lastEntry()
    local last = redis.pcall('ZRANGE', KEY, '-1', '-1', 'WITHSCORES')
    if not last.err then
        return last
    elseif string.find(last.err, 'WRONGTYPE', 1, true) then
        call('PEXPIRE', KEY, '-1')
    end
    return call('ZRANGE', KEY, '-1', '-1', 'WITHSCORES')
end

-- Where the clock has stepped back, entries of the future count as of now, so that nobody waits longer than a window.
local function newestMicros(now)
    local newest = tonumber(lastEntry()[2])
    if not newest or newest <= now then
        return newest
    end
    local nowText = format('%.0f', now)
    stamp('XX', nowText, call('ZRANGE', KEY, '(' .. nowText, '+inf', 'BYSCORE'))
    call('PEXPIRE', KEY, TTL_MILLIS)
    return now
end

-- Adds what is not there yet, so that the same request never counts twice, and answers how much that was.
local function remember(nowText, mark, count)
    if count == 1 then
        return call('ZADD', KEY, 'NX', nowText, ID .. mark)
    end
    local members = { ID .. mark }
    for i = 1, count - 1 do
        members[i + 1] = ID .. '.' .. i .. mark
    end
    return stamp('NX', nowText, members)
end

local function decide(now)
    COST = tonumber(ARGV[2])
    local newest = newestMicros(now)
    local thresholds, windows, used, count, full, start = {}, {}, {}, 0, false, nil
    for i = 5, #ARGV - 1, 2 do
        local threshold, window, held = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), 0
        start = format('%.0f', now - window)
        if newest and newest > now - window then
            held = call('ZCOUNT', KEY, '(' .. start, '+inf')
        end
        count = count + 1
        thresholds[count], windows[count], used[count] = threshold, window, held
        full = full or COST > threshold - held
    end
    local horizonStart = start

    -- A request that is sent again gets its first answer: it is decided otherwise now only if it left the other mark.
    local stands = false
    if newest and (full or COUNTS_REFUSALS) then
        local first = call('ZSCORE', KEY, full and ID or ID .. '!')
        stands = first and tonumber(first) > now - windows[count]
    end
    local refused = full ~= stands

    if not stands and (COUNTS_REFUSALS or not full) then
        if newest then -- a new key begins with ZADD: only the first write of a script is refused for lack of memory
            call('ZREMRANGEBYSCORE', KEY, '-inf', horizonStart)
        end
        local largest, added = -1 - tonumber(TRIM_TO_RANK), 0
        if full then
            added = remember(format('%.0f', now), '!', math.min(COST, largest))
            call('ZREMRANGEBYRANK', KEY, '0', TRIM_TO_RANK)
        else
            added = remember(format('%.0f', now), '', COST)
        end
        call('PEXPIRE', KEY, TTL_MILLIS)
        for i = 1, count do
            used[i] = full and math.min(used[i] + added, largest) or used[i] + added
        end
        newest = added > 0 and now or newest
    end

    local reply = {}
    for i = 1, count do
        local left, retry = thresholds[i] - used[i], 0
        if refused and COST > thresholds[i] then
            retry = -1
        elseif refused and COST > left then
            local rank = format('%.0f', COST - thresholds[i] - 1)
            retry = call('ZRANGE', KEY, rank, rank, 'WITHSCORES')[2] + windows[i] - now
        elseif refused and stands then
            retry = 1
        end
        reply[#reply + 1] = math.max(0, left)
        reply[#reply + 1] = newest and math.max(0, newest + windows[i] - now) or 0
        reply[#reply + 1] = retry
    end
    return reply
end
