-- Fixed window: one counter per window, and windows that begin at whole multiples of their length.
-- Twin and oracle: dev.ratelimit.store.memory.FixedWindow.
--
-- KEYS[1]  string of the records of StoredNumbers.lua, with one count. Windows that are not requested stay until they
--          end.
-- ARGV     '-', in the place of a permit id | cost | ttlMillis | per window, the shortest first: threshold,
--          windowMicros
-- Reply    per window: remaining | micros until its end, 0 if nothing is used | micros until a retry of the same cost can
--          succeed, 0 if it does not refuse, -1 if waiting cannot help. For an admission the third number is the negated
--          receipt: the end of the window in microseconds, plus the steps of the clock. Admitted if and only if no window
--          refuses.
--
-- All numbers are whole and below 2^53. There are few functions, upvalues and tables, because these cost the most time
-- here.

local function decideOnSeveral(now, reply, n)
    local cost, held = ARGV[2] + 0, storedNumbers(4)
    local full, steppedBack, begins, at, place = false, false, false, 2, n + 1
    for i = 4, #ARGV - 1, 2 do
        local threshold, window = ARGV[i] + 0, ARGV[i + 1] + 0
        local elapsed = now % window
        local index = (now - elapsed) / window
        if held[at] ~= window / 1000 or not held[at + 3] then
            held = arrange(held, 5, #ARGV, 4)
        end
        if held[at + 1] < index then
            held[at + 1], held[at + 2], begins = index, 0, true
        elseif held[at + 1] > index then -- the clock has stepped back: what was counted then counts as of now
            held[at + 1], held[at + 3], steppedBack = index, (held[at + 3] + 1) % 1000, true
        end
        full = full or cost > threshold - held[at + 2]
        reply[place], reply[place + 1], reply[place + 2] = threshold, window - elapsed, 0
        at, place = at + 4, place + 3
    end

    at = 2
    for place = n + 1, place - 1, 3 do
        local threshold = reply[place]
        if not full then
            held[at + 2] = held[at + 2] + cost
            reply[place + 2] = -(held[at + 1] + 1) * held[at] * 1000 - held[at + 3]
        elseif cost > threshold then
            reply[place + 2] = -1
        elseif cost > threshold - held[at + 2] then
            reply[place + 2] = reply[place + 1]
        end
        local used = held[at + 2]
        reply[place] = used < threshold and threshold - used or 0
        reply[place + 1] = used > 0 and reply[place + 1] or 0
        at = at + 4
    end
    if not full or steppedBack then
        store(held, at, now, 4, 1, begins or steppedBack)
    end
    return reply, place - 1
end

-- The short form, for a rule and a value with one window. SETRANGE keeps the expiry, and takes half the time of SET.
local function decide(now, reply, n)
    reply, n = reply or { 0, 0, 0 }, n or 0
    if ARGV[7] then
        return decideOnSeveral(now, reply, n)
    end
    local cost, threshold, window = ARGV[2] + 0, ARGV[4] + 0, ARGV[5] + 0
    local elapsed = now % window
    local index, count, steps, begins = (now - elapsed) / window, 0, 0, true
    local value = redis.pcall('GET', KEYS[1])
    if value then
        if #value ~= 21 then
            return decideOnSeveral(now, reply, n)
        end
        local length, stored, counted, stepped = struct.unpack('<I5I7I7I2', value)
        if length * 1000 ~= window or stored > index or counted >= 1e15 then
            return decideOnSeveral(now, reply, n)
        end
        steps = stepped
        if stored == index then
            count, begins = counted, false
        end
    end

    local used, ends, third = count + cost, window - elapsed, 0
    if used <= threshold then
        local text = struct.pack('<I5I7I7I2', window / 1000, index, used, steps)
        if begins then
            redis.call('SET', KEYS[1], text, 'PX', ARGV[3])
        else
            redis.call('SETRANGE', KEYS[1], '0', text)
        end
        third = -(index + 1) * window - steps
    elseif cost > threshold then
        used, third = count, -1
    else
        used, third = count, ends
    end
    reply[n + 1] = used < threshold and threshold - used or 0
    reply[n + 2] = used > 0 and ends or 0
    reply[n + 3] = third
    return reply, n + 3
end
