-- Fixed window: one counter per window, and windows that begin at whole multiples of their length.
-- Twin and oracle: dev.ratelimit.store.memory.FixedWindow.
--
-- KEYS[1]  string of the records of CountedWindows.lua, with one count. Windows that are not requested stay until they end.
-- ARGV     '-', in the place of a permit id | cost | ttlMillis | '0' | per window, the shortest first: threshold,
--          windowMicros
-- Reply    per window: remaining | micros until its end, 0 if nothing is used | micros until a retry of the same cost can
--          succeed, 0 if it does not refuse, -1 if waiting cannot help. For an admission the third number is the negated
--          receipt: the end of the window in microseconds, plus the steps of the clock. Admitted if and only if no window
--          refuses.
--
-- All numbers are whole and below 2^53. There are few functions, upvalues and tables, because these cost the most time
-- here.

local function read(state, now, key, limit, arranged, others)
    local text, at, from, steppedBack, begins = arranged or redis.pcall('GET', key) or '', 3, 1, false, arranged ~= nil
    local isArranged = #text == (#limit - 4) / 2 * 21
    for i = 6, isArranged and #limit or 0, 2 do
        local window = limit[i]
        local index = (now - now % window) / window
        local length, stored, count, steps = struct.unpack('<I5I7I7I2', text, from)
        if length ~= window / 1000 or count >= 1e15 then
            isArranged = false
            break
        end
        if stored < index then
            begins, count = true, 0
        elseif stored > index then -- the clock has stepped back: what was counted then counts as of now
            begins, steps, steppedBack = true, (steps + 1) % 1000, true
        end
        state[at], state[at + 1], state[at + 2] = index, count, steps
        at, from = at + 3, from + 21
    end
    if not isArranged then
        return read(state, now, key, limit, arrange(text, key, limit, 21, '<I5I7I7I2'))
    end
    state[1], state[2] = begins, others or ''
    return steppedBack
end

local function judge(state, now, limit, id, cost, mode, reply, n)
    local admits, at = mode ~= 'look', 3
    if mode == 'take' then
        for i = 5, #limit, 2 do
            admits = admits and cost <= limit[i] - state[at + 1]
            at = at + 3
        end
    elseif mode == 'count' then
        local i = 6
        for receipt in string.gmatch(id, '%d+') do
            local window = limit[i]
            local hasPassed = state[at] + 1 > math.floor(receipt / window)
            if not hasPassed or receipt % window ~= state[at + 2] then -- the clock has stepped back: as if taken now
                state[at + 1] = math.min(state[at + 1] + cost, 999999999999999)
            end
            i, at = i + 2, at + 3
        end
        cost = 0 -- it is counted
    end

    at = 3
    for i = 5, #limit, 2 do
        local threshold, used, ends, third = limit[i], state[at + 1], (state[at] + 1) * limit[i + 1], 0
        if admits then
            used, third = used + cost, -ends - state[at + 2]
            state[at + 1] = used
        elseif cost > threshold then
            third = -1
        elseif cost > threshold - used then
            third = ends - now
        end
        reply[n + 1] = used < threshold and threshold - used or 0
        reply[n + 2] = used > 0 and ends - now or 0
        reply[n + 3] = third
        at, n = at + 3, n + 3
    end
    return n, admits
end

local function write(state, now, key, limit)
    local text, ttl, at = struct.pack('<I5I7I7I2', limit[6] / 1000, state[3], state[4], state[5]), limit[3], 6
    for i = 8, #limit, 2 do
        text = text .. struct.pack('<I5I7I7I2', limit[i] / 1000, state[at], state[at + 1], state[at + 2])
        at = at + 3
    end
    if state[2] ~= '' then
        text, ttl = withOthers(text, state[2], now, ttl, 21, '<I5I7I7I2')
    end
    if state[1] then
        redis.call('SET', key, text, 'PX', ttl)
    else
        redis.call('SETRANGE', key, '0', text)
    end
end

