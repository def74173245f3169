-- Token bucket. It is refilled either evenly, the threshold per window (see Bucket.lua), or to the brim at the end of
-- every interval, which is as long as the window and begins with the first admission after the one before it has ended.
-- Twin and oracle: dev.ratelimit.store.memory.TokenBucket.
--
-- KEYS[1]  as in Bucket.lua; with intervals: 0 | micros of the last write | per window: windowMillis, permits taken,
--          micros at which the interval began, and by how many it was put off since
-- ARGV     permit id | cost | ttlMillis | '1' with intervals, else '0' | the windows of Bucket.lua
-- Reply    as in Bucket.lua; with intervals the time until the interval ends, and as the receipt of a window twice the
--          time at which its interval began, and one more for the admission that began it

local INTERVALS = ARGV[4] == '1'

local function takeFromIntervals(now)
    local state = read(true)
    local written, refused, steppedBack, n = { 0, now }, false, false, 2
    for i = 5, #ARGV - 3, 4 do
        local capacity, windowMillis, taken, began, putOff = tonumber(ARGV[i]), tonumber(ARGV[i + 3]), 0, now, 0
        local at = find(state, windowMillis, 3, 4)
        if at then
            local start = state[at + 2] + state[at + 3]
            if state[at + 1] > 0 and now < start + windowMillis * 1000 then
                taken, began, putOff = min(state[at + 1], capacity), state[at + 2], state[at + 3]
                if start > now then
                    steppedBack, putOff = true, now - began
                end
            end
        end
        refused = refused or taken > capacity - COST
        written[n + 1], written[n + 2], written[n + 3], written[n + 4] = windowMillis, taken, began, putOff
        n = n + 4
    end

    local reply, r = {}, 0
    n = 2
    for i = 5, #ARGV - 3, 4 do
        local capacity, taken, began = tonumber(ARGV[i]), written[n + 2], written[n + 3]
        local left, ends, third = capacity - taken, began + written[n + 4] + written[n + 1] * 1000 - now, 0
        if not refused then
            third = -2 * began - (taken == 0 and 1 or 0)
            taken, left = taken + COST, left - COST
            written[n + 2] = taken
        elseif COST > capacity then
            third = -1
        elseif COST > left then
            third = ends
        end
        reply[r + 1], reply[r + 2], reply[r + 3] = left, taken > 0 and ends or 0, third
        n, r = n + 4, r + 3
    end
    if steppedBack or not refused then
        call('SET', KEY, cmsgpack.pack(unpack(written)), 'PX', TTL_MILLIS)
    end
    return reply
end

local function decide(now)
    if INTERVALS then
        return takeFromIntervals(now)
    end
    return takeFromBucket(5, now)
end
