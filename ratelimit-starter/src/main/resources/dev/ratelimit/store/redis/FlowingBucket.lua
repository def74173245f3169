-- A bucket with a steady flow: a token bucket with continuous refill, or a leaky bucket as a meter, which are mirror images.
-- Its debt is the tokens that are missing, or the permits that have not leaked out yet.
-- Twin and oracle: dev.ratelimit.store.memory.FlowingBucket.
--
-- KEYS[1]  string of unsigned little-endian integers: micros of the last write (7 bytes), micros since when receipts are
--          valid (7), permits released since then (4), millis until which the key lives (6); per window: millis of its
--          length (5), debt at the last write in whole permits (7) and in units beyond them (6)
-- ARGV     '-' | cost | ttlMillis | '0', followed by the buckets of other plans of the rule, separated by blanks, per
--          window: windowMillis, permit, refill, the largest debt. A window of this plan is among them if another one has
--          more of it, with the highest refill of any plan | per window, the shortest first: capacity, permit, refill,
--          windowMillis
-- State    micros since when receipts are valid | permits released since then | millis until which the key lives | the text
--          under the key | micros of the last write | the buckets of other plans by their length, or false | per window:
--          debt in whole permits, and in units beyond them
-- Reply    per window: remaining | micros until the debt is gone | if it refuses, micros until the same cost can succeed,
--          or -1 if it never can; if all admit, the receipt -2 - (whole permits of debt before + released). After the
--          windows of an admission: its time, the receipt that they share.

-- What is left of a debt after some time, in whole permits and units beyond them.
local function flowed(debt, rest, passed, permit, refill)
    local flow = passed * refill -- as mulDiv, whose call would take longer than this
    local part = flow % permit
    local whole = (flow - part) / permit
    if flow >= 2 ^ 53 then
        whole, part = mulDiv(passed, refill, 0, permit)
    end
    if rest >= permit then
        rest = permit - 1
    end
    debt, rest = debt - whole, rest - part
    if rest < 0 then
        debt, rest = debt - 1, rest + permit
    end
    if debt < 0 then
        return 0, 0
    end
    return debt, rest
end

local function read(state, now, key, limit)
    local text, last, since, given, lives, steppedBack = redis.pcall('GET', key) or '', now, now, 0, 0, false
    local length, debt, rest
    if type(text) == 'table' then -- as in ReadText.lua
        text = string.find(text.err, 'WRONGTYPE', 1, true) and '' or redis.call('GET', key)
    end
    if #text > 24 and #text % 18 == 6 then
        last, since, given, lives, length, debt, rest = struct.unpack('<I7I7I4I6I5I7I6', text)
        if last > now then -- the clock has stepped back: receipts from before would measure too short a time
            steppedBack, since, last = true, math.max(since, last + 1), now
        end
    else
        text = '' -- nothing of ours
    end

    local others, unused, at = false, true, 7
    if limit[4] ~= '0' then
        others = {}
        for millis, permit, fastest, most in string.gmatch(limit[4], ' (%d+) (%d+) (%d+) (%d+)') do
            others[millis + 0] = { permit + 0, fastest + 0, most + 0 }
        end
    end
    for i = 8, #limit, 4 do
        if length ~= limit[i] then -- it is not the first one under the key
            length, debt, rest = nil, 0, 0
            for from = 25, #text, 18 do
                local windowMillis, permits, units = struct.unpack('<I5I7I6', text, from)
                if windowMillis == limit[i] then
                    length, debt, rest = windowMillis, permits, units
                    break
                end
            end
            if not length and since < now then
                since = now -- a window that was not there knows nothing of earlier receipts
            end
        end
        local most = others and others[limit[i]] and others[limit[i]][3] or limit[i - 3]
        if debt >= most then
            debt, rest = most, 0
        end
        if debt + rest > 0 then
            debt, rest = flowed(debt, rest, now - last, limit[i - 2], limit[i - 1])
            unused = unused and debt + rest == 0
        end
        state[at], state[at + 1], at = debt, rest, at + 2
    end
    if unused then
        since, given = math.max(since, now), 0
    end
    state[1], state[2], state[3], state[4], state[5], state[6] = since, given, lives, text, last, others
    return steppedBack
end

local function judge(state, now, limit, id, cost, mode, reply, n)
    local admits, given, at = mode == 'take', state[2], 7
    for i = 5, #limit, 4 do
        local debt, room = state[at], limit[i] - cost
        if debt > room or debt == room and state[at + 1] > 0 then
            admits = false
        end
        at = at + 2
    end

    at = 7
    for i = 5, #limit, 4 do
        local capacity, permit, refill, debt, rest, third = limit[i], limit[i + 1], limit[i + 2], state[at], state[at + 1], 0
        local left = capacity - debt - (rest > 0 and 1 or 0)
        if admits then
            third = -2 - debt - given
            debt, left = debt + cost, left - cost
            state[at] = debt
        elseif cost > capacity then
            third = -1
        elseif cost > left then
            third = mulDiv(debt - (capacity - cost), permit, rest + refill - 1, refill)
        end
        local units = debt * permit + rest + refill - 1 -- without a call
        reply[n + 1] = left > 0 and left or 0
        reply[n + 2] = units < 2 ^ 53 and (units - units % refill) / refill or mulDiv(debt, permit, rest + refill - 1, refill)
        reply[n + 3] = third
        at, n = at + 2, n + 3
    end
    if admits then
        n = n + 1
        reply[n] = now
    end
    return n, admits
end

-- Appends the buckets of other plans, which were not requested: they continue to flow. Also returns the time to live
-- including theirs, and that of what another plan may have used more than this one can.
local function withOthers(written, state, now, limit, ttl)
    local others, requested, at = state[6], {}, 7
    for i = 8, #limit, 4 do
        requested[limit[i]] = true
        local other = others[limit[i]]
        if other then
            ttl = math.max(ttl, math.ceil(mulDiv(state[at] + 1, other[1], 0, other[2]) / 1000) + 100)
        end
        at = at + 2
    end
    for from = 25, #state[4], 18 do
        local length, debt, rest = struct.unpack('<I5I7I6', state[4], from)
        local other = not requested[length] and others[length]
        if other then
            local permit, refill = other[1], other[2]
            if debt >= other[3] then
                debt, rest = other[3], 0
            end
            debt, rest = flowed(debt, rest, now - state[5], permit, refill)
            if debt + rest > 0 then
                written = written .. struct.pack('<I5I7I6', length, debt, rest)
                ttl = math.max(ttl, math.ceil(mulDiv(debt, permit, rest + refill - 1, refill) / 1000) + 100)
            end
        end
    end
    return written, ttl
end

-- SETRANGE keeps the expiry, and takes a third of the time of SET with PX. So the expiry of one window is set a quarter later
-- than needed, and renewed when that quarter is used.
local function write(state, now, key, limit)
    local further, ttl, lives, millis, isKept, at = '', limit[3] + 0, state[3], now / 1000, false, 9
    for i = 12, #limit, 4 do
        further, at = further .. struct.pack('<I5I7I6', limit[i], state[at], state[at + 1]), at + 2
    end
    if state[6] then
        further, ttl = withOthers(further, state, now, limit, ttl)
    end
    if #limit == 8 then
        isKept = lives >= millis + ttl and lives <= millis + ttl * 5 / 4 and #further + 42 == #state[4]
        ttl = math.floor(ttl * 5 / 4)
    end
    lives = isKept and lives or millis + ttl
    local text = struct.pack('<I7I7I4I6I5I7I6', now, state[1], state[2], lives, limit[8], state[7], state[8]) .. further
    if isKept then
        redis.call('SETRANGE', key, '0', text)
    else
        redis.call('SET', key, text, 'PX', ttl)
    end
end

