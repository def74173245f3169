-- Sliding-window log: every admission is stored with its time, and no window ever holds more than its threshold.
-- Twin and oracle: dev.ratelimit.store.memory.SlidingWindowLog.
--
-- KEYS[1]  sorted set, all windows in one. Score: microseconds. Member: the permit id, `<id>.<n>` for the n-th further
--          permit of the same request; with the suffix `!`, a counted refusal. Members of waiting requests are documented
--          in SlidingWindowLogTurn.lua. Member `#` has as a negative score the time until which longer windows than the
--          requested ones may need older entries.
-- ARGV     permit id | cost | ttlMillis | trimToRank: '0' if refusals are not counted, otherwise the last rank beyond the
--          largest threshold. If other plans of the rule have other longest windows, these follow, separated by blanks: the
--          longest of them in micros, the number of entries that is enough for every plan, and '1' if this plan's are
--          longer than those of another | per window, the shortest first: threshold, windowMicros
-- State    per window: number of permits left
-- Reply    per window: remaining | micros until it is empty | micros until a retry of the same cost can succeed, 0 if it
--          does not refuse, -1 if waiting cannot help; of an admission that has used a window up, -1 - micros until its
--          oldest permit leaves it. Admitted if and only if no window refuses.
--
-- A window holds the entries with score > now - window. Microseconds of this century stay exact in a Lua number (2^53), but
-- not in its text: they are converted to text by %d only. Commands, functions and conversions cost the most time here, and
-- in a short set a command that reads all entries. So the content of the largest window is computed from the entries that
-- have left it.

-- The most permits of a request: each is an entry, for which all other clients of Redis wait.
local MOST_ACQUIRED = 100

-- How many entries a request removes that no window holds any more, besides those of the same time as the last of them. What
-- is left goes with the next requests, and counts again if the clock steps back before them. Where other plans have longer
-- windows, all go at once.
local MOST_REMOVED = 10000

local nowText, firstMicros, firstText, beforeText -- made once for all keys
local trimToRank, longest, most, isLonger -- of the limit
local key, held, isForeign, older -- of the key: its entries and marks, and those that no window holds
local isAdmitted, isUnread -- of the last write: whether it was a plain admission, or one after which the key is read again

local function read(state, now, requested, limit)
    local last, call, n = #limit, redis.call, 0
    trimToRank, longest = limit[4], nil
    if string.find(trimToRank, ' ', 1, true) then
        trimToRank, longest, most, isLonger = string.match(trimToRank, '^(%S+) (%d+) (%d+) (%d)$')
    end
    key, isForeign, older, isAdmitted, isUnread = requested, false, 0, false, false
    held = redis.pcall('ZCARD', key)
    if type(held) == 'table' then
        if not string.find(held.err, 'WRONGTYPE', 1, true) then
            return call('ZCARD', key) -- to fail as it did
        end
        held, isForeign = 0, true
    end
    for i = 6, last, 2 do
        local first, used = now - limit[i] + 1, 0
        if firstMicros ~= first then
            firstMicros = first
            firstText = string.format('%d', first)
            beforeText = '(' .. firstText
        end
        if not isForeign and i == last then
            older = call('ZCOUNT', key, '-inf', beforeText)
            used = held - older
        elseif not isForeign then
            used = call('ZCOUNT', key, firstText, '+inf')
        end
        n = n + 1
        state[n] = limit[i - 1] - used
    end
    return false
end

-- The newest entry. Where the clock has stepped back, entries of the future count as of now from here on, so that no
-- request waits longer than a window. A turn is dated in the future on purpose, unless it was also given in the future.
local function newestMicros(now, limit, mode)
    local last = held > 0 and redis.call('ZRANGE', key, '-1', '-1', 'WITHSCORES') or {}
    local newest = last[2]
    if not newest or newest + 0 <= now then
        return newest
    end
    local given = string.find(last[1], '~', 1, true) and redis.call('ZSCORE', key, '@')
    if given and -given <= now then
        return newest
    end
    if mode ~= 'look' then
        local micros = string.format('%d', now)
        for _, member in ipairs(redis.call('ZRANGE', key, '(' .. micros, '+inf', 'BYSCORE')) do
            redis.call('ZADD', key, 'XX', micros, member)
        end
        redis.call('PEXPIRE', key, longest and string.format('%d', longest / 1000 + 100) or limit[3])
    end
    return now
end

local function stamp(mode, microsText, members)
    local scored = {}
    for i = 1, #members do
        scored[2 * i - 1], scored[2 * i] = microsText, members[i]
    end
    return redis.call('ZADD', key, mode, unpack(scored))
end

-- For plans that have longer windows than others: removes entries that no window needs any more. Entries that a longer
-- window needs stay, but no more than are enough for every plan, plus all turns that are still due. Returns the time until
-- which the key is needed for these entries.
local function forget(now, window, upTo, newest, old)
    local call = redis.call
    local needed = old > 0 and call('ZSCORE', key, '#')
    local till = math.min(needed and -needed or 0, math.max(now, newest or 0) + longest)
    if old > 0 then -- else a new key begins with ZADD
        call('ZREMRANGEBYSCORE', key, '0', string.format('%d', now - (till > now and longest or window)))
    end
    if till > now then
        local others = call('ZCOUNT', key, '-inf', '(0')
        local due = newest and newest + 0 > now and call('ZCOUNT', key, string.format('(%d', now), '+inf') or 0
        call('ZREMRANGEBYRANK', key, string.format('%d', others), string.format('%d', -1 - most - due))
    end
    if isLonger == '1' and upTo + window > till then
        till = upTo + window
        call('ZADD', key, string.format('%d', -till), '#')
    end
    return till
end

-- Removes entries that no window holds any more. If not all of them are ours, turns were given.
local function remove(now, limit, newest)
    local upTo = beforeText
    if older > MOST_REMOVED then
        upTo = redis.call('ZRANGE', key, MOST_REMOVED, MOST_REMOVED, 'WITHSCORES')[2]
    end
    if redis.call('ZREMRANGEBYSCORE', key, '0', upTo) == older then
        return newest
    end
    redis.call('ZREMRANGEBYSCORE', key, '-inf', '(-9007199254740992') -- nothing of ours
    return newestMicros(now, limit)
end

-- Adds the entries of an admission or of a counted refusal, as far as they are not there yet, so that the same request never
-- counts twice. Returns how many it has added, and the newest entry if it is one of the future.
local function write(state, now, limit, id, cost, isRefusal, newest)
    local call, till = redis.call, 0
    nowText = nowText or string.format('%d', now)
    if isForeign then -- by PEXPIRE, which needs no further right
        call('PEXPIRE', key, '-1')
        isForeign = false
    end
    if longest and not isAdmitted then
        newest = newest or newestMicros(now, limit)
        till = forget(now, limit[#limit], now, newest, older)
    elseif older > 0 then -- a new key begins with ZADD: only the first write of a script is refused for lack of memory
        newest = remove(now, limit, newest)
    end
    local lives = not isAdmitted and call('PTTL', key) -- after entries were removed: a key without any has no expiry
    local added
    if cost == 1 and older <= MOST_REMOVED then
        added = call('ZADD', key, 'NX', nowText, isRefusal and id .. '!' or id)
    else
        local members, mark = {}, isRefusal and '!' or ''
        for i = 0, (isRefusal and math.min(cost, MOST_ACQUIRED, -1 - trimToRank) or cost) - 1 do
            members[i + 1] = (i == 0 and id or id .. '.' .. i) .. mark
        end
        added = stamp('NX', nowText, members)
        if added < #members and not longest and older > MOST_REMOVED then -- their id was used before the window
            call('ZREMRANGEBYSCORE', key, '0', beforeText)
            lives = -1 -- if nothing was left, the key is a new one
            added = added + stamp('NX', nowText, members)
        end
    end
    if isRefusal then
        call('ZREMRANGEBYRANK', key, longest and call('ZCOUNT', key, '-inf', '(0') or '0', trimToRank)
    end
    held, older = held + added, 0
    local due = newest and newest + 0 > now and newest
    if not isAdmitted then -- else it lives as long by now
        local ttl = due and limit[3] + math.ceil((due - now) / 1000) or limit[3] + 0
        if till > now then
            ttl = math.max(ttl, math.ceil((till - now) / 1000) + 100)
        end
        if lives < ttl or lives > ttl * 5 / 4 then -- a quarter later than needed: PTTL takes a third of its time
            call('PEXPIRE', key, string.format('%d', ttl * 5 / 4))
        end
    end
    isAdmitted = added > 0 and not isRefusal and not due
    isUnread = not isAdmitted -- turns, marks or entries for longer plans may be left, and refusals may have removed some
    for i = 1, (#limit - 4) / 2 do
        state[i] = state[i] - added
    end
    return added, due
end

-- Micros until the entry leaves a window which has that many newer ones.
local function leaves(now, window, newer)
    local rank = string.format('%d', -1 - newer)
    return redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2] + window - now
end

-- Unlike others in Keys.lua it writes at once and returns false, as the next request for the key needs the entries.
local function judge(state, now, limit, id, cost, mode, reply, n)
    if isUnread then
        read(state, now, key, limit)
    end
    local full, countsRefusals, windows = cost > MOST_ACQUIRED, trimToRank ~= '0', (#limit - 4) / 2
    for i = 1, windows do
        full = full or cost > state[i]
    end

    -- A repeated request gets its first result: it is decided differently now only if it left the other mark.
    local newest, stands, added, due = nil, false, 0, nil
    if mode ~= 'look' and (full or countsRefusals) then
        newest = newestMicros(now, limit)
        local first = held > 0 and redis.call('ZSCORE', key, full and id or id .. '!')
        stands = first and first + 0 > now - limit[#limit]
    end
    if mode ~= 'look' and not stands and (countsRefusals or not full) then
        added, due = write(state, now, limit, id, cost, full, newest)
        newest = due or added > 0 and now
    end

    local refused = mode == 'look' or full ~= stands
    newest = newest or newestMicros(now, limit, mode)
    for i = 1, windows do
        local left, threshold, window, third = state[i], limit[2 * i + 3], limit[2 * i + 4], 0
        if refused and cost > math.min(threshold, MOST_ACQUIRED) then
            third = -1
        elseif refused and cost > left then
            third = leaves(now, window, threshold - cost)
        elseif refused and stands then
            third = 1
        elseif left == 0 and added > 0 and not full and not due then
            third = -1 - (cost < threshold and math.min(window, leaves(now, window, threshold - 1)) or window)
        end
        local reset = newest and newest + window - now or 0
        reply[n + 1] = left > 0 and left or 0
        reply[n + 2] = reset > 0 and reset or 0
        reply[n + 3] = third
        n = n + 3
    end
    return n, false
end

