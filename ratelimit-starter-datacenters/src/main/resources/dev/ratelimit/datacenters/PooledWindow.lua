
-- Takes permits from a share and, beyond it, from the pool.
-- Twin and oracle: take of PooledWindow, in the tests.
--
-- ARGV     '-', in the place of a permit id | cost | millis by which a key outlives its content | 'open' or 'closed':
--          whether anything may be taken from the pool, followed by the names of the peers, separated by blanks | per
--          window, the shortest first: windowMillis, threshold, share, pool, bound
-- State    the windows under the key | the requested ones of them
-- Reply    per window: remaining, as far as this data centre may admit now | micros until the window ends, 0 if nothing is
--          used | micros until a retry of the same cost can succeed, 0 if it does not refuse, -1 if waiting cannot help. For
--          an admission the third number is the negated receipt: the end of the window in microseconds.
--          After the windows: what is to be exchanged: 0 nothing | 1 something | 2 something, soon | 3 as 2, and it
--          is refused only because an acknowledgement is missing: the wait is at most a second

local SOON_MICROS = 1000000

-- The peers together: whether they have the same limit, the smallest share, the permits that they have taken, and the
-- permits taken here that all of them have acknowledged.
local function together(window, listed, threshold, share, bound)
    local agreed, smallest, taken, least = true, share, 0, nil
    for name, peer in pairs(window[3]) do
        if listed[name] and differs(peer, threshold, share, bound) then
            agreed, smallest = false, math.min(smallest, peer[5])
        end
        taken = taken + peer[1]
    end
    for name in pairs(listed) do
        local peer = window[3][name]
        least = math.min(least or math.huge, peer and peer[3] or 0)
    end
    return agreed, smallest, taken, least or 0
end

-- Whether a peer has lately sent windows that are not requested here: then it has another limit.
local function hasUnrequestedWindows(windows, requested, now)
    for length, window in pairs(windows) do
        if not requested[length] and window[5] > now - LATELY_MICROS then
            return true
        end
    end
    return false
end

local function read(state, now, key, limit)
    local windows, requested = readWindows(key), {}
    for i = 5, #limit, 5 do
        requested[limit[i]] = windowOf(windows, limit[i], now)
    end
    state[1], state[2] = windows, requested
    return false
end

local function judge(state, now, limit, id, cost, mode, reply, n)
    local open, listed = nil, {}
    for word in string.gmatch(limit[4], '%S+') do
        if open == nil then
            open = word == 'open'
        else
            listed[word] = true
        end
    end
    local windows, requested, full, lacking, differ, place, exchange = state[1], state[2], false, true, false, n, 0
    open = open and not hasUnrequestedWindows(windows, requested, now)

    local needs = {}
    for i = 5, #limit, 5 do
        local length, threshold, share, pool, bound = unpack(limit, i, i + 4)
        local window = requested[length]
        local current = window[3]
        local agreed, smallest, taken, least = together(current, listed, threshold, share, bound)
        local free = smallest + current[2] - current[1]
        local need = math.max(0, cost - free)
        local room, unacknowledged = pool - current[2] - taken, current[2] - least
        local poolLeft = open and agreed and math.max(0, math.min(room, bound - unacknowledged)) or 0
        local ends, third = (window[1] + 1) * length * 1000 - now, 0
        if need > poolLeft then
            local isInPool = need <= room and need <= bound
            full, lacking, third = true, lacking and isInPool and open and agreed, ends
            if isInPool or cost <= share + current[2] - current[1] then
                third = math.min(SOON_MICROS, ends) -- once the peers have acknowledged, or have the same limit
            elseif cost > share + math.min(pool, bound) then
                third = -1
            end
        end
        if not agreed then -- the peer receives the present terms with the next message
            differ = differ or current[4] ~= threshold or current[5] ~= share or current[6] ~= bound
                or window[6] < now - LATELY_MICROS / 2
            current[4], current[5], current[6], window[6] = threshold, share, bound, now
        end
        if unacknowledged > 0 or not agreed then
            exchange = math.max(exchange, 1)
        end
        needs[#needs + 1] = need
        reply[place + 1] = math.max(0, free + poolLeft)
        reply[place + 2] = (current[1] > 0 or taken > 0) and ends or 0
        reply[place + 3] = third
        place = place + 3
    end

    local taken = mode == 'take' and not full
    if taken then
        place = n
        for i = 5, #limit, 5 do
            local length, threshold, share, _, bound = unpack(limit, i, i + 4)
            local window, need = requested[length], needs[(i - 5) / 5 + 1]
            local current = window[3]
            current[1], current[2] = current[1] + cost, current[2] + need
            current[4], current[5], current[6], window[6] = threshold, share, bound, now
            local ends = (window[1] + 1) * length * 1000
            if need > 0 then
                local _, _, _, least = together(current, listed, threshold, share, bound)
                exchange = math.max(exchange, (current[2] - least) * 4 > bound * 3 and 2 or 1)
            end
            reply[place + 1], reply[place + 2], reply[place + 3] = reply[place + 1] - cost, ends - now, -ends
            place = place + 3
        end
    end
    reply[place + 1] = full and lacking and 3 or exchange
    return place + 1, differ or taken
end

local function write(state, now, key, limit)
    writeWindows(key, state[1], now, limit[3] + 0)
end

