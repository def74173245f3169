-- A bucket with a steady flow: the common part of a token bucket with continuous refill and a leaky bucket, which are
-- mirror images. Its debt is the tokens that are missing, or the permits that have not leaked out yet.
-- Twin and oracle: dev.ratelimit.store.memory.FlowingBucket.
--
-- KEYS[1]  string of unsigned little-endian integers: micros of the last write (7 bytes), micros since when receipts are
--          valid (7), permits released since then (4), millis until which the key lives (6); per window: millis of its
--          length (5), debt at the last write in whole permits (7) and in units beyond them (6)
-- ARGV     '-' | cost | ttlMillis | '1' for intervals (token bucket only), otherwise '0', followed by the buckets of
--          other plans of the rule, separated by blanks, per window: windowMillis, permit, refill, the largest debt. A
--          window of this plan is among them if another one has more of it, with the highest refill of any plan | per
--          window, the shortest first: capacity, permit, refill, windowMillis
-- Reply    per window: remaining | micros until the debt is gone | if it refuses, micros until the same cost can succeed,
--          or -1 if it never can; if all admit, the receipt -2 - (whole permits of debt before + released). After the
--          windows of an admission: its time, the receipt that they share.

-- What is left of a debt after some time, in whole permits and units beyond them.
local function flowed(debt, rest, passed, permit, refill)
    local flow = passed * refill -- as mulDiv, whose call would take longer than this
    local part = flow % permit
    local whole = (flow - part) / permit
    if flow >= EXACT then
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

-- Appends the buckets of other plans, which were not requested: they continue to flow. Also returns the expiry including
-- theirs.
local function withOthers(written, value, passed, others, asked, ttl)
    for at = 25, #value, 18 do
        local length, debt, rest = struct.unpack('<I5I7I6', value, at)
        local other = not asked[length] and others[length]
        if other then
            local permit, refill = other[1], other[2]
            if debt >= other[3] then
                debt, rest = other[3], 0
            end
            debt, rest = flowed(debt, rest, passed, permit, refill)
            if debt + rest > 0 then
                written = written .. struct.pack('<I5I7I6', length, debt, rest)
                local micros = mulDiv(debt, permit, rest + refill - 1, refill)
                ttl = math.max(ttl, math.ceil(micros / 1000) + 100)
            end
        end
    end
    return written, ttl
end

local function takeFromSeveral(now, reply, n)
    local cost, unpackFrom, pack = ARGV[2] + 0, struct.unpack, struct.pack
    local last, since, given, steppedBack = now, now, 0, false
    local value = storedText()
    if value and #value > 24 and #value % 18 == 6 then -- else it is nothing of ours
        last, since, given = unpackFrom('<I7I7I4', value)
        if last > now then -- the clock has stepped back: receipts from before would measure too short a time
            steppedBack, since, last = true, math.max(since, last + 1), now
        end
    else
        value = ''
    end

    local others, asked
    if #ARGV[4] > 1 then
        others, asked = {}, {}
        for length, permit, refill, most in string.gmatch(ARGV[4], ' (%d+) (%d+) (%d+) (%d+)') do
            others[length + 0] = { permit + 0, refill + 0, most + 0 }
        end
    end

    local refused, unused, first = false, true, n
    for i = 5, #ARGV - 3, 4 do
        local capacity, windowMillis, debt, rest, at = ARGV[i] + 0, ARGV[i + 3] + 0, 0, 0, 25
        while at < #value do
            local length, permits, units = unpackFrom('<I5I7I6', value, at)
            if length == windowMillis then
                debt, rest = permits, units
                break
            end
            at = at + 18
        end
        if at >= #value and since < now then
            since = now -- a window that was not there knows nothing of earlier receipts
        end
        local most = capacity
        if others then
            asked[windowMillis] = true
            most = others[windowMillis] and others[windowMillis][3] or capacity
        end
        if debt >= most then
            debt, rest = most, 0
        end
        if debt + rest > 0 then
            debt, rest = flowed(debt, rest, now - last, ARGV[i + 1] + 0, ARGV[i + 2] + 0)
        end
        if debt + rest > 0 then
            unused = false
        end
        if debt > capacity - cost or rest > 0 and debt == capacity - cost then
            refused = true
        end
        reply[n + 1], reply[n + 2], reply[n + 3] = debt, rest, 0
        n = n + 3
    end
    if unused then
        since, given = math.max(since, now), 0
    end

    local written, ttl = '', ARGV[3] + 0
    for n = first, n - 1, 3 do
        local i = 5 + (n - first) / 3 * 4
        local capacity, permit, refill = ARGV[i] + 0, ARGV[i + 1] + 0, ARGV[i + 2] + 0
        local debt, rest = reply[n + 1], reply[n + 2]
        local left = capacity - debt
        if rest > 0 then
            left = left - 1
        end
        if not refused then
            reply[n + 3] = -2 - debt - given
            debt, left = debt + cost, left - cost
        elseif cost > capacity then
            reply[n + 3] = -1
        elseif cost > left then
            reply[n + 3] = mulDiv(debt - (capacity - cost), permit, rest + refill - 1, refill)
        end
        reply[n + 1], reply[n + 2] = left > 0 and left or 0, mulDiv(debt, permit, rest + refill - 1, refill)
        if steppedBack or not refused then
            written = written .. pack('<I5I7I6', ARGV[i + 3], debt, rest)
            local other = refused and others and others[ARGV[i + 3] + 0]
            if other then -- another plan may have used more than this one can
                ttl = math.max(ttl, math.ceil(mulDiv(debt + 1, other[1], 0, other[2]) / 1000) + 100)
            end
        end
    end
    reply[n + 1] = not refused and now or nil
    if steppedBack or not refused then
        if others then
            written, ttl = withOthers(written, value, now - last, others, asked, ttl)
        end
        written = pack('<I7I7I4I6', now, since, given, now / 1000 + ttl) .. written
        redis.call('SET', KEYS[1], written, 'PX', ttl)
    end
    return reply, refused and n or n + 1
end

-- The short form, for a rule and a value with one window. SETRANGE keeps the expiry, and takes a third of the time of SET
-- with PX. So the expiry is set a quarter later than needed, and renewed when that quarter is used.
local function takeFromBucket(now, reply, n)
    reply, n = reply or { 0, 0, 0, 0 }, n or 0
    if ARGV[12] or ARGV[4] ~= '0' then
        return takeFromSeveral(now, reply, n)
    end
    local cost, capacity, permit, refill = ARGV[2] + 0, ARGV[5] + 0, ARGV[6] + 0, ARGV[7] + 0
    local last, since, given, lives, debt, rest = now, now, 0, 0, 0, 0
    local value = redis.pcall('GET', KEYS[1])
    if value then
        if #value ~= 42 then
            return takeFromSeveral(now, reply, n)
        end
        local windowMillis
        last, since, given, lives, windowMillis, debt, rest = struct.unpack('<I7I7I4I6I5I7I6', value)
        if windowMillis ~= ARGV[8] + 0 or last > now then
            return takeFromSeveral(now, reply, n)
        end
        if debt >= capacity then
            debt, rest = capacity, 0
        end
        if debt + rest > 0 then
            debt, rest = flowed(debt, rest, now - last, permit, refill)
        end
        if debt + rest == 0 then
            since, given = math.max(since, now), 0
        end
    end

    local left, admitted = capacity - debt - (rest > 0 and 1 or 0), false
    if cost <= left then
        reply[n + 3], admitted = -2 - debt - given, true
        debt, left = debt + cost, left - cost
        local ttl, millis, kept = ARGV[3] + 0, now / 1000, true
        if lives < millis + ttl or lives > millis + ttl * 5 / 4 then
            ttl, kept = math.floor(ttl * 5 / 4), false
            lives = millis + ttl
        end
        local text = struct.pack('<I7I7I4I6I5I7I6', now, since, given, lives, ARGV[8], debt, rest)
        if kept then
            redis.call('SETRANGE', KEYS[1], '0', text)
        else
            redis.call('SET', KEYS[1], text, 'PX', ttl)
        end
    elseif cost > capacity then
        reply[n + 3] = -1
    else
        reply[n + 3] = mulDiv(debt - (capacity - cost), permit, rest + refill - 1, refill)
    end
    local units = debt * permit + rest + refill - 1 -- without a call, too
    reply[n + 1] = left
    reply[n + 2] = units < EXACT and (units - units % refill) / refill or mulDiv(debt, permit, rest + refill - 1, refill)
    reply[n + 4] = admitted and now or nil
    return reply, admitted and n + 4 or n + 3
end
