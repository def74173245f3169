-- A bucket with a steady flow: what a token bucket with continuous refill and a leaky bucket have in common, for they
-- are mirror images. Its debt is the tokens that are missing, or the permits that have not leaked out yet.
-- Twin and oracle: dev.ratelimit.store.memory.FlowingBucket.
--
-- KEYS[1]  string, MessagePack: micros of the last write | how long before that receipts begin | given | per window:
--          windowMillis, debt and rest as of the last write, in whole permits and in units beyond them
-- ARGV     permit id | cost | ttlMillis | per window from ARGV[first], the shortest first: capacity, permit, refill,
--          windowMillis
--
-- A permit is `permit` units and in a microsecond `refill` units flow, both whole numbers without a common divisor, so
-- that nothing is ever lost to rounding. `given` is how many permits have been given back since receipts begin.

local KEY, COST, TTL_MILLIS = KEYS[1], tonumber(ARGV[2]), ARGV[3]
local EXACT = 9007199254740992 -- 2^53: below it every whole number is exact
local call, floor, max, min = redis.call, math.floor, math.max, math.min

-- The numbers under the key, of which the first is 0 only with intervals; whatever else is there counts as nothing.
local function read(intervals)
    local value = call('GET', KEY)
    if not value then
        return {}
    end
    local unpacked, numbers = { pcall(cmsgpack.unpack, value) }, {}
    for i = 2, #unpacked do
        local number = unpacked[i]
        if type(number) ~= 'number' or not (number > -EXACT and number < EXACT) or number ~= floor(number) then
            return {}
        end
        numbers[i - 1] = number
    end
    if intervals ~= (numbers[1] == 0) then
        return {}
    end
    return numbers
end

-- (a * b + c) / d, rounded down, and what is left; exact though a * b may not be: then a is taken in digits of 7 bits.
-- a and the quotient are below 2^53; b, c and d are below 2^46.
local function mulDiv(a, b, c, d)
    local x = a * b + c
    if x < EXACT then
        local quotient = floor(x / d)
        return quotient, x - quotient * d
    end
    local quotient, rest = 0, 0
    for shift = 49, 0, -7 do
        x = rest * 128 + floor(a / 2 ^ shift) % 128 * b
        local digit = floor(x / d)
        quotient, rest = quotient * 128 + digit, x - digit * d
    end
    local carry = floor((rest + c) / d)
    return quotient + carry, rest + c - carry * d
end

-- Where a window begins in the numbers under the key, or nil.
local function find(state, windowMillis, first, step)
    for i = first, #state - step + 1, step do
        if state[i] == windowMillis then
            return i
        end
    end
end

local function flow(debt, rest, micros, permit, refill)
    local whole, part = mulDiv(micros, refill, 0, permit)
    debt, rest = debt - whole, rest - part
    if rest < 0 then
        debt, rest = debt - 1, rest + permit
    end
    if debt < 0 then
        return 0, 0
    end
    return debt, rest
end

-- Reply: per window: remaining | micros until the debt is gone | where it refuses, micros until the same cost can
-- succeed, or -1 where it never can; where all admit, the receipt -2 - (debt before + given). Behind the windows of an
-- admission: its time, which is the receipt of them all.
local function takeFromBucket(first, now)
    local state = read(false)
    local last, since, given = state[1] or now, now, 0
    if state[3] then
        since, given = last - state[2], state[3]
    end
    local steppedBack = last > now
    if steppedBack then
        since, last = max(since, last + 1), now
    end

    local written, refused, unused, n = { now, 0, 0 }, false, true, 3
    for i = first, #ARGV - 3, 4 do
        local capacity, windowMillis, debt, rest = tonumber(ARGV[i]), tonumber(ARGV[i + 3]), 0, 0
        local at = find(state, windowMillis, 4, 3)
        if at then
            local permit = tonumber(ARGV[i + 1])
            debt, rest = max(0, state[at + 1]), max(0, min(state[at + 2], permit - 1))
            if debt >= capacity then
                debt, rest = capacity, 0
            end
            debt, rest = flow(debt, rest, now - last, permit, tonumber(ARGV[i + 2]))
        else
            since = max(since, now)
        end
        unused = unused and debt + rest == 0
        refused = refused or debt + (rest > 0 and 1 or 0) > capacity - COST
        written[n + 1], written[n + 2], written[n + 3] = windowMillis, debt, rest
        n = n + 3
    end
    if unused then
        since, given = max(since, now), 0
    end

    local reply = {}
    n = 0
    for i = first, #ARGV - 3, 4 do
        local capacity, permit, refill = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
        local debt, rest, third = written[n + 5], written[n + 6], 0
        local left = capacity - debt - (rest > 0 and 1 or 0)
        if not refused then
            third = -2 - debt - given
            debt, left = debt + COST, left - COST
            written[n + 5] = debt
        elseif COST > capacity then
            third = -1
        elseif COST > left then
            third = mulDiv(debt - (capacity - COST), permit, rest + refill - 1, refill)
        end
        reply[n + 1], reply[n + 2], reply[n + 3] = left, mulDiv(debt, permit, rest + refill - 1, refill), third
        n = n + 3
    end
    if not refused then
        reply[n + 1] = now
    end
    if steppedBack or not refused then
        written[2], written[3] = now - since, given
        call('SET', KEY, cmsgpack.pack(unpack(written)), 'PX', TTL_MILLIS)
    end
    return reply
end

-- Credits what the permits still make up of the debt at the last write. They are sure to be all there as long as no
-- more has flowed since than the debt that was before them; other permits that were given back since may have been
-- part of that debt. What has flowed beyond it may have been theirs.
-- ARGV behind the windows: a receipt per window, and the time.
local function giveBackToBucket(first)
    if #ARGV == 2 then
        return -1
    end
    local state, count = read(false), (#ARGV - first) / 5
    if not state[3] then
        return 0
    end
    local last, given, taken = state[1], state[3], tonumber(ARGV[#ARGV])
    if taken < last - state[2] or taken > last then
        return 0
    end
    local credited = false
    for w = 0, count - 1 do
        local i = first + 4 * w
        local permit, refill = tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
        local at = find(state, tonumber(ARGV[i + 3]), 4, 3)
        if at then
            local ahead = max(0, ARGV[first + 4 * count + w] - 2 - given)
            local lost, part = mulDiv(last - taken, refill, 0, permit)
            lost = lost - ahead
            if lost < 0 then
                lost, part = 0, 0
            end
            if lost < COST then
                local debt, rest = state[at + 1] - (COST - lost), min(state[at + 2], permit - 1) + part
                if rest >= permit then
                    debt, rest = debt + 1, rest - permit
                end
                if debt < 0 then
                    debt, rest = 0, 0
                end
                state[at + 1], state[at + 2], credited = debt, rest, true
            end
        end
    end
    if credited then
        state[3] = given + COST
        if state[3] >= EXACT / 4 then
            state[2], state[3] = -1, 0
        end
        call('SET', KEY, cmsgpack.pack(unpack(state)), 'KEEPTTL')
    end
    return COST
end
