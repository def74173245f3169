-- Sliding-window counter: two counters per window. The part of the previous window that still counts is as long as the rest
-- of the current window, and its permits are assumed to be spread evenly:
-- estimate = previous * (1 - elapsed / window) + current.
-- Twin and oracle: dev.ratelimit.store.memory.SlidingWindowCounter.
--
-- KEYS[1]  string of the records of StoredNumbers.lua, with two counts: the current one and the previous one. Windows
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

-- The first moment with room: in the current window, or otherwise in the next one, where the current count becomes the
-- previous one.
local function retry(cost, threshold, window, left, current, previous, up)
    local room, weighted, ending = threshold - current - cost, previous, left
    if cost > threshold then
        return -1
    elseif room < 0 then
        room, weighted, ending = threshold - cost, current, left + window
    end
    return ending - (up and share(room, window, weighted, false) or share(room + 1, window, weighted, true) - 1)
end

local function decideOnSeveral(now, reply, n)
    local cost, up, held = ARGV[2] + 0, ARGV[4] == '1', storedNumbers(5)
    local full, steppedBack, begins, at, place = false, false, false, 2, n + 1
    for i = 5, #ARGV - 1, 2 do
        local threshold, window = ARGV[i] + 0, ARGV[i + 1] + 0
        local left = window - now % window
        local index = (now + left) / window - 1
        if held[at] ~= window / 1000 or not held[at + 4] then
            held = arrange(held, 6, #ARGV, 5)
        end
        local age, current, previous = index - held[at + 1], held[at + 2], held[at + 3]
        begins = begins or age ~= 0
        if age == 1 then
            current, previous = 0, current
        elseif age > 1 then
            current, previous = 0, 0
        elseif age < 0 then -- the clock has stepped back: what was counted then counts as of now
            current, previous = math.min(current + previous, math.max(threshold, current, previous)), 0
            held[at + 4], steppedBack = (held[at + 4] + 1) % 1000, true
        end
        held[at + 1], held[at + 2], held[at + 3] = index, current, previous
        local room = threshold - current
        if previous > 0 then
            room = room - share(previous, left, window, up)
        end
        full = full or cost > room
        reply[place], reply[place + 1], reply[place + 2] = room, left, threshold
        at, place = at + 5, place + 3
    end

    at = 2
    for place = n + 1, place - 1, 3 do
        local room, left, threshold, third = reply[place], reply[place + 1], reply[place + 2], 0
        local window, current, previous = held[at] * 1000, held[at + 2], held[at + 3]
        if not full then
            current, room = current + cost, room - cost
            held[at + 2] = current
            third = -(held[at + 1] + 1) * window - held[at + 4]
        elseif cost > room then
            third = retry(cost, threshold, window, left, current, previous, up)
        end
        reply[place] = room > 0 and room or 0
        reply[place + 1] = current > 0 and left + window or previous > 0 and left or 0
        reply[place + 2] = third
        at = at + 5
    end
    if not full or steppedBack then
        store(held, at, now, 5, 2, begins or steppedBack)
    end
    return reply, place - 1
end

-- The short form, for a rule and a value with one window. SETRANGE keeps the expiry, and takes half the time of SET.
local function decide(now, reply, n)
    reply, n = reply or { 0, 0, 0 }, n or 0
    if ARGV[8] then
        return decideOnSeveral(now, reply, n)
    end
    local cost, up, threshold, window = ARGV[2] + 0, ARGV[4] == '1', ARGV[5] + 0, ARGV[6] + 0
    local left = window - now % window
    local index, current, previous, steps, begins = (now + left) / window - 1, 0, 0, 0, true
    local value = redis.pcall('GET', KEYS[1])
    if value then
        if #value ~= 28 then
            return decideOnSeveral(now, reply, n)
        end
        local length, stored, count, before, stepped = struct.unpack('<I5I7I7I7I2', value)
        if length * 1000 ~= window or stored > index or count >= 1e15 or before >= 1e15 then
            return decideOnSeveral(now, reply, n)
        end
        steps = stepped
        if stored == index then
            current, previous, begins = count, before, false
        elseif stored == index - 1 then
            previous = count
        end
    end

    local room, third = threshold - current, 0
    if previous > 0 then
        room = room - share(previous, left, window, up)
    end
    if cost <= room then
        current, room = current + cost, room - cost
        local text = struct.pack('<I5I7I7I7I2', window / 1000, index, current, previous, steps)
        if begins then
            redis.call('SET', KEYS[1], text, 'PX', ARGV[3])
        else
            redis.call('SETRANGE', KEYS[1], '0', text)
        end
        third = -(index + 1) * window - steps
    else
        third = retry(cost, threshold, window, left, current, previous, up)
    end
    reply[n + 1] = room > 0 and room or 0
    reply[n + 2] = current > 0 and left + window or previous > 0 and left or 0
    reply[n + 3] = third
    return reply, n + 3
end
