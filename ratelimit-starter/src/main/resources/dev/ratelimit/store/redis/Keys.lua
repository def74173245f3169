-- Decides one key, or several with one command, so that requests can share a batch. Keys are decided one after the other
-- and all at the same time. Each is decided exactly as alone; the repetition of a key is decided as if it had come later.
--
-- The script of the algorithm declares
--   state                                                     what it has read of a key
--   read(state, now, key, limit)                              returns whether this is to be written even if nothing is taken
--   judge(state, now, limit, id, cost, MODE, reply, place)    takes permits if all windows have room, and counts them in the
--                                                             state; writes its reply after a place of a table, and returns
--                                                             the last place of the reply and whether the state has changed
--   write(state, now, key, limit)
-- The modes are 'take', 'count' (whether or not there is room) and 'look' (nothing is taken, and the reply is that of a
-- refusal). MODE is that of this script.
--
-- KEYS     one key, or the keys, all in one slot of a Cluster
-- ARGV     of one key: permit id or '-' | cost | the arguments of its limit
--          of several, per key: if the arguments of its limit differ from those of the key before: '', the number of these
--          arguments, and the arguments | permit id or '-' | cost
-- Reply    of one key: the reply of the algorithm; of several, per key: the count of its numbers | these numbers, or the
--          error that ended it, which concerns no other key
--
-- A key is read and written once for all consecutive requests on it. If it cannot be written, all of these fail.
--
-- Out of memory, Redis refuses only the first write of a script. If it refuses the first keys of a call for that reason, it
-- refuses the following ones too, up to one that writes what needs no memory. The keys after that are decided as if there
-- were memory.

local function decide(now)
    local keys, arguments, state, reply = KEYS, ARGV, { false, '', 0, 0, 0, 0, 0, 0 }, { 0, 0, 0 }
    if #keys == 1 then
        for j = 5, #arguments do
            arguments[j] = arguments[j] + 0
        end
        local limit = arguments
        local changed = read(state, now, keys[1], limit)
        local _, taken = judge(state, now, limit, arguments[1], arguments[2] + 0, MODE, reply, 0)
        if changed or taken then
            write(state, now, keys[1], limit)
        end
        return reply
    end

    local i, at, n, limit = 1, 1, 0, nil -- of the next request; `n` is the last place of the reply so far
    local costText, cost

    local function decideRest()
        while keys[i] do
            if arguments[at] == '' then
                local first = at
                at = first + 2 + arguments[first + 1]
                limit = { unpack(arguments, first, at - 1) }
                for j = 5, #limit do
                    limit[j] = limit[j] + 0
                end
            end
            local key, nextI, nextAt, last = keys[i], i, at, n
            local changed = read(state, now, key, limit)
            repeat
                local place, text, taken = last + 1, arguments[nextAt + 1], nil
                if text ~= costText then -- else its number is known
                    costText, cost = text, text + 0
                end
                reply[place] = 0 -- until it is known
                last, taken = judge(state, now, limit, arguments[nextAt], cost, MODE, reply, place)
                reply[place], changed = last - place, changed or taken
                nextI, nextAt = nextI + 1, nextAt + 2
                if not changed then
                    i, at, n = nextI, nextAt, last -- an error of the requests behind it does not concern it
                end
            until keys[nextI] ~= key or arguments[nextAt] == ''
            if changed then
                write(state, now, key, limit)
            end
            i, at, n = nextI, nextAt, last
        end
    end

    while keys[i] do
        local decided, failure = pcall(decideRest)
        if not decided then
            local key = keys[i]
            repeat
                n, i, at = n + 1, i + 1, at + 2
                reply[n] = type(failure) == 'table' and failure or { err = failure } -- before Redis 7 an error is its text
            until keys[i] ~= key or arguments[at] == ''
        end
    end
    for place = #reply, n + 1, -1 do -- what was decided before an error
        reply[place] = nil
    end
    return reply
end

