-- Sliding-window counter: two counters per window. The part of the previous window that still counts is as long as the rest
-- of the current window, and its permits are assumed to be spread evenly:
-- estimate = previous * (1 - elapsed / window) + current.
-- Twin and oracle: dev.ratelimit.store.memory.SlidingWindowCounter.
--
-- KEYS[1]  string of the records of CountedWindows.lua, with two counts: the current one and the previous one. Windows
--          that are not requested stay as long as they affect an estimate.
-- ARGV     '-', in the place of a permit id | cost | ttlMillis | '1' to round estimates up, '0' down | per window,
--          the shortest first: threshold, windowMicros
-- Reply    per window: remaining | micros until neither counter affects the estimate | micros until a retry of the same
--          cost can succeed, 0 if it does not refuse, -1 if waiting cannot help. For an admission the third number is the
--          negated receipt: the end of the current window in microseconds, plus the steps of the clock. Admitted if and
--          only if no window refuses.
--
-- All numbers are whole and below 2^53. There are few functions, upvalues and tables, because these cost the most time
-- here.

local function read(state, now, key, limit, arranged, others)
    local text, at, from, steppedBack, begins = arranged or redis.pcall('GET', key) or '', 3, 1, false, arranged ~= nil
    local isArranged = #text == (#limit - 4) / 2 * 28
    for i = 6, isArranged and #limit or 0, 2 do
        local window = limit[i]
        local index = (now - now % window) / window
        local length, stored, current, previous, steps = struct.unpack('<I5I7I7I7I2', text, from)
        if length ~= window / 1000 or current >= 1e15 or previous >= 1e15 then
            isArranged = false
            break
        end
        local age = index - stored
        if age > 0 then
            begins, current, previous = true, 0, age == 1 and current or 0
        elseif age < 0 then -- the clock has stepped back: what was counted then counts as of now
            current, previous = math.min(current + previous, math.max(limit[i - 1], current, previous)), 0
            begins, steps, steppedBack = true, (steps + 1) % 1000, true
        end
        state[at], state[at + 1], state[at + 2], state[at + 3] = index, current, previous, steps
        at, from = at + 5, from + 28
    end
    if not isArranged then
        return read(state, now, key, limit, arrange(text, key, limit, 28, '<I5I7I7I7I2'))
    end
    state[1], state[2] = begins, others or ''
    return steppedBack
end

local function judge(state, now, limit, id, cost, mode, reply, n)
    local up, admits, at = limit[4] == '1', mode ~= 'look', 3
    if mode == 'count' then
        local i = 6
        for receipt in string.gmatch(id, '%d+') do
            local window = limit[i]
            local age = state[at] + 1 - math.floor(receipt / window)
            if age < 1 or receipt % window ~= state[at + 3] then -- the clock has stepped back: as if taken now
                state[at + 1] = math.min(state[at + 1] + cost, 999999999999999)
            elseif age == 1 then
                state[at + 2] = math.min(state[at + 2] + cost, 999999999999999)
            end
            i, at = i + 2, at + 5
        end
        cost = 0 -- it is counted
    end

    at = 3
    for i = 5, #limit, 2 do
        local room, previous = limit[i] - state[at + 1], state[at + 2]
        if previous > 0 then
            room = room - share(previous, (state[at] + 1) * limit[i + 1] - now, limit[i + 1], up)
        end
        admits = admits and (cost <= room or mode == 'count')
        state[at + 4], at = room, at + 5
    end

    at = 3
    for i = 5, #limit, 2 do
        local current, previous, room, window, third = state[at + 1], state[at + 2], state[at + 4], limit[i + 1], 0
        local ends = (state[at] + 1) * window
        if admits then
            current, room, third = current + cost, room - cost, -ends - state[at + 3]
            state[at + 1] = current
        elseif cost > limit[i] then
            third = -1
        elseif cost > room then -- there is room in this window, or in the next one, where `current` becomes `previous`
            local free, weighted, ending = limit[i] - current - cost, previous, ends
            if free < 0 then
                free, weighted, ending = limit[i] - cost, current, ends + window
            end
            third = ending - now
                - (up and share(free, window, weighted, false) or share(free + 1, window, weighted, true) - 1)
        end
        reply[n + 1] = room > 0 and room or 0
        reply[n + 2] = current > 0 and ends - now + window or previous > 0 and ends - now or 0
        reply[n + 3] = third
        at, n = at + 5, n + 3
    end
    return n, admits
end

local function write(state, now, key, limit)
    local text, ttl, at = struct.pack('<I5I7I7I7I2', limit[6] / 1000, state[3], state[4], state[5], state[6]), limit[3], 8
    for i = 8, #limit, 2 do
        text = text .. struct.pack('<I5I7I7I7I2', limit[i] / 1000, state[at], state[at + 1], state[at + 2], state[at + 3])
        at = at + 5
    end
    if state[2] ~= '' then
        text, ttl = withOthers(text, state[2], now, ttl, 28, '<I5I7I7I7I2')
    end
    if state[1] then
        redis.call('SET', key, text, 'PX', ttl)
    else
        redis.call('SETRANGE', key, '0', text)
    end
end

