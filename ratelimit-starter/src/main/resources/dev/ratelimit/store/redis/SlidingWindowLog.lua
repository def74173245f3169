-- Sliding-window log: every admission is stored with its time, and no window ever holds more than its threshold.
-- Twin and oracle: dev.ratelimit.store.memory.SlidingWindowLog.
--
-- KEYS[1]  sorted set, all windows in one. Score: microseconds. Member: the permit id, `<id>.<n>` for the n-th further
--          permit of the same request; with the suffix `!`, a counted refusal. Members of waiting requests are documented
--          in SlidingWindowLogTurn.lua. Member `#` has as a negative score the time until which longer windows than the
--          requested ones may need older entries.
-- ARGV     permit id | cost | trimToRank: '0' if refusals are not counted, otherwise the last rank beyond the largest
--          threshold. If other plans of the rule have other longest windows, these follow, separated by blanks: the longest
--          of them in micros, the number of entries that is enough for every plan, and '1' if this plan's are longer than
--          those of another | ttlMillis | per window, the shortest first: threshold, windowMicros
-- Reply    per window: remaining | micros until it is empty | micros until a retry of the same cost can succeed, 0 if it
--          does not refuse, -1 if waiting cannot help; of an admission that has used a window up, -1 - micros until its
--          oldest permit leaves it. Admitted if and only if no window refuses.
--
-- A window holds the entries with score > now - window. Microseconds of this century stay exact in a Lua number (2^53), but
-- not in its text: they are converted to text by %d only. Commands, functions and conversions cost the most time here, and
-- in a short set a command that reads all entries. So the content of the largest window is computed from the entries that
-- have left it.

local nowText, firstMicros, firstText, beforeText -- made once for all keys
local lastKey, lastLimit, lastFrom, lastTo -- the admission before, where it left nothing of the future
local trimToRank, longest, most, isLonger -- of the limit

-- The most permits of a request: each is an entry, for which all other clients of Redis wait.
local MOST_ACQUIRED = 100

-- How many entries a request removes that no window holds any more, besides those of the same time as the last of them. What
-- is left goes with the next requests, and counts again if the clock steps back before them. Where other plans have longer
-- windows, all go at once.
local MOST_REMOVED = 10000

local function stamp(mode, microsText, members)
    local scored = {}
    for i = 1, #members do
        scored[2 * i - 1], scored[2 * i] = microsText, members[i]
    end
    return redis.call('ZADD', KEYS[1], mode, unpack(scored))
end

-- Removes entries that no window holds any more, of which there are so many. Returns how many it has removed.
local function remove(beforeText, older)
    local upTo = beforeText
    if older > MOST_REMOVED then
        upTo = redis.call('ZRANGE', KEYS[1], MOST_REMOVED, MOST_REMOVED, 'WITHSCORES')[2]
    end
    return redis.call('ZREMRANGEBYSCORE', KEYS[1], '0', upTo)
end

-- The newest entry. Where the clock has stepped back, entries of the future count as of now from here on, so that no
-- request waits longer than a window. A turn is dated in the future on purpose, unless it was also given in the future.
local function newestMicros(now)
    local last = redis.call('ZRANGE', KEYS[1], '-1', '-1', 'WITHSCORES')
    local newest = last[2]
    if not newest or newest + 0 <= now then
        return newest
    end
    local given = string.find(last[1], '~', 1, true) and redis.call('ZSCORE', KEYS[1], '@')
    if given and -given <= now then
        return newest
    end
    local micros = string.format('%d', now)
    for _, member in ipairs(redis.call('ZRANGE', KEYS[1], '(' .. micros, '+inf', 'BYSCORE')) do
        redis.call('ZADD', KEYS[1], 'XX', micros, member)
    end
    redis.call('PEXPIRE', KEYS[1], longest and string.format('%d', longest / 1000 + 100) or ARGV[4])
    return now
end

-- For plans that have longer windows than others: removes entries that no window needs any more. Entries that a longer
-- window needs stay, but no more than are enough for every plan, plus all turns that are still due. Returns the time until
-- which the key is needed for these entries.
local function forget(now, window, upTo, newest, older)
    local call, key = redis.call, KEYS[1]
    local needed = older > 0 and call('ZSCORE', key, '#')
    local till = math.min(needed and -needed or 0, math.max(now, newest or 0) + longest)
    if older > 0 then -- else a new key begins with ZADD
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

-- Per window: number of permits left | micros until it is empty if something is added now | 0. Returns the last place of
-- that, and the number of entries that no window holds any more. Where the clock has stepped back, entries of the future
-- are in every window.
local function look(now, reply, n)
    local call, key = redis.call, KEYS[1]
    local held = redis.pcall('ZCARD', key)
    if type(held) == 'table' then
        if not string.find(held.err, 'WRONGTYPE', 1, true) then
            return call('ZCARD', key) -- to fail as it did
        end
        held = 0 -- not ours, and deleted: by PEXPIRE, which needs no further right
        call('PEXPIRE', key, '-1')
    end
    local last, older = #ARGV - 1, nil
    for i = 5, last, 2 do
        local window, used = ARGV[i + 1] + 0, nil
        if firstMicros ~= now - window + 1 then
            firstMicros = now - window + 1
            firstText = string.format('%d', firstMicros)
            beforeText = '(' .. firstText
        end
        if i + 2 > last then
            older = call('ZCOUNT', key, '-inf', beforeText)
            used = held - older
        else
            used = call('ZCOUNT', key, firstText, '+inf')
        end
        reply[n + 1], reply[n + 2], reply[n + 3] = ARGV[i] - used, window, 0
        n = n + 3
    end
    return n, older
end

local function decide(now, reply, n)
    reply, n = reply or { 0, 0, 0 }, n or 0
    local call, key, id, cost = redis.call, KEYS[1], ARGV[1], ARGV[2] + 0
    trimToRank, longest = ARGV[3], nil
    if string.find(trimToRank, ' ', 1, true) then
        trimToRank, longest, most, isLonger = string.match(trimToRank, '^(%S+) (%d+) (%d+) (%d)$')
    end
    local countsRefusals = trimToRank ~= '0'
    local to, older, again = n, 0, key == lastKey and lastLimit == ARGV
    lastKey = nil
    if again then
        for i = lastFrom, lastTo do
            to = to + 1
            reply[to] = reply[i]
        end
    else
        to, older = look(now, reply, n)
    end
    local full, window = cost > MOST_ACQUIRED, reply[to - 1]
    for i = n + 1, to, 3 do
        full = full or cost > reply[i]
    end

    local newest = (full or countsRefusals) and newestMicros(now)

    -- A repeated request gets its first result: it is decided differently now only if it left the other mark.
    local stands = false
    if full or countsRefusals then
        local first = call('ZSCORE', key, full and id or id .. '!')
        stands = first and first + 0 > now - window
    end
    local refused = full ~= stands

    if not stands and (countsRefusals or not full) then
        nowText = nowText or string.format('%d', now)
        local till = 0
        if longest and not again then
            newest = newest or newestMicros(now)
            till = forget(now, window, now, newest, older)
        -- A new key begins with ZADD: only the first write of a script is refused for lack of memory.
        elseif older > 0 and remove(beforeText, older) < older then
            call('ZREMRANGEBYSCORE', key, '-inf', '(-9007199254740992') -- nothing of ours
            newest = newestMicros(now) -- turns were given
        end
        local lives = not again and call('PTTL', key) -- after entries were removed: a key without any has no expiry
        -- Adds only members that are not there yet, so that the same request never counts twice.
        local added
        if cost == 1 and older <= MOST_REMOVED then
            added = call('ZADD', key, 'NX', nowText, full and id .. '!' or id)
        else
            local members, mark = {}, full and '!' or ''
            for i = 0, (full and math.min(cost, MOST_ACQUIRED, -1 - trimToRank) or cost) - 1 do
                members[i + 1] = (i == 0 and id or id .. '.' .. i) .. mark
            end
            added = stamp('NX', nowText, members)
            if added < #members and not longest and older > MOST_REMOVED then -- their id was used before the window
                call('ZREMRANGEBYSCORE', key, '0', beforeText)
                lives = -1 -- if nothing was left, the key is a new one
                added = added + stamp('NX', nowText, members)
            end
        end
        if full then
            call('ZREMRANGEBYRANK', key, longest and call('ZCOUNT', key, '-inf', '(0') or '0', trimToRank)
        end
        local turns = newest and newest + 0 > now
        if not again then -- else it lives as long by now
            local ttl = turns and ARGV[4] + math.ceil((newest - now) / 1000) or ARGV[4] + 0
            if till > now then
                ttl = math.max(ttl, math.ceil((till - now) / 1000) + 100)
            end
            if lives < ttl or lives > ttl * 5 / 4 then -- a quarter later than needed: PTTL takes a third of its time
                call('PEXPIRE', key, string.format('%d', ttl * 5 / 4))
            end
        end
        for i = n + 1, to, 3 do
            reply[i] = reply[i] - added
        end
        if added > 0 and not (full or turns) then
            for i = n + 1, to, 3 do
                if reply[i] == 0 then
                    local window, threshold = reply[i + 1], ARGV[(i - n - 1) / 3 * 2 + 5] + 0
                    local next = window
                    if cost < threshold then
                        local rank = string.format('%d', -threshold)
                        next = math.min(window, call('ZRANGE', key, rank, rank, 'WITHSCORES')[2] + window - now)
                    end
                    reply[i + 2] = -1 - next
                end
            end
            lastKey, lastLimit, lastFrom, lastTo = key, ARGV, n + 1, to
            return reply, to
        end
        newest = turns and newest or added > 0 and now
    end

    newest = newest or newestMicros(now)
    for i = n + 1, to, 3 do
        local left, window, threshold = reply[i], reply[i + 1], ARGV[(i - n - 1) / 3 * 2 + 5] + 0
        reply[i + 2] = 0
        if refused and cost > math.min(threshold, MOST_ACQUIRED) then
            reply[i + 2] = -1
        elseif refused and cost > left then
            local rank = string.format('%d', cost - threshold - 1)
            reply[i + 2] = call('ZRANGE', key, rank, rank, 'WITHSCORES')[2] + window - now
        elseif refused and stands then
            reply[i + 2] = 1
        end
        local reset = newest and newest + window - now or 0
        reply[i] = left > 0 and left or 0
        reply[i + 1] = reset > 0 and reset or 0
    end
    return reply, to
end
