-- Decides one key, or several with one command, so that requests can share a batch. Keys are decided one after the other
-- and all at the same time. Each is decided exactly as alone; the repetition of a key is decided as if it had come later.
--
-- KEYS     one key, or the keys, all in one slot of a Cluster
-- ARGV     of one key: permit id or '-' | cost | the arguments of its limit
--          of several, per key: the same two | if the arguments of its limit differ from those of the key before: '',
--          the number of these arguments, and the arguments
-- Reply    of one key: the reply of the script; of several, per key: the count of its numbers | these numbers, or the error
--          that ended it, which concerns no other key
--
-- The script declares decide(now, reply, place). It writes its reply after a place of a table and returns the last place of
-- that reply, so that all keys share one table.
--
-- A text is read and written once for all consecutive requests for the same key. If it cannot be written, all of these
-- fail.
--
-- Out of memory, Redis refuses only the first write of a script. If it refuses the first keys of a call for that reason, it
-- refuses the following ones too, up to one that writes what needs no memory. The keys after that are decided as if there
-- were memory.

local KEYS, ARGV, redis = KEYS, ARGV, redis -- what the script sees

--[[ the script ]]

local decideOne, commands = decide, redis

if #KEYS > 1 then -- what one key alone does not need is not even made for it
    local once, write, repeats = nil, nil, false
    for i = 2, #KEYS do
        repeats = repeats or KEYS[i] == KEYS[i - 1]
    end

    if repeats then
        local text, unwritten, millis -- of the key that is decided: its text once it is known, and how it is to be written
        once = {}

        function once.pcall(command, key, ...)
            if command ~= 'GET' then
                return commands.pcall(command, key, ...)
            elseif text == nil then
                text = commands.pcall(command, key)
            end
            return text
        end

        function once.call(command, key, ...)
            if command == 'SET' then
                local value, _, expiry = ...
                text, unwritten, millis = value, true, expiry or millis
            elseif command == 'SETRANGE' then -- always from the start, and of the whole length
                local _, value = ...
                text, unwritten = value, true
            else
                return commands.call(command, key, ...)
            end
        end

        -- Ends the decisions on a key. Returns the error if its text cannot be written.
        write = function(key)
            local done
            if unwritten and millis then
                done = commands.pcall('SET', key, text, 'PX', millis)
            elseif unwritten then
                done = commands.pcall('SET', key, text, 'KEEPTTL')
            end
            text, unwritten, millis = nil, nil, nil
            return done and done.err and done
        end
    end

    decide = function(now)
        local keys, all, replies, n, at, first, from = KEYS, ARGV, {}, 0, 1, 1, 0
        KEYS = {}
        for i = 1, #keys do
            local id, cost = all[at], all[at + 1]
            at = at + 2
            if all[at] == '' then
                local count = all[at + 1]
                ARGV = { id, cost, unpack(all, at + 2, at + 1 + count) }
                for j = 5, 2 + count do
                    ARGV[j] = ARGV[j] + 0 -- once for all keys: to make a number of its text takes as long as some commands
                end
                at = at + 2 + count
            end
            KEYS[1], ARGV[1], ARGV[2] = keys[i], id, cost
            redis = repeats and (keys[i] == keys[i + 1] or keys[i] == keys[i - 1]) and once or commands
            local place = n + 1
            replies[place] = 0 -- until it is known
            local decided, reply, last = pcall(decideOne, now, replies, place)
            if decided then
                replies[place], n = last - place, last
            else
                replies[place] = type(reply) == 'table' and reply or { err = reply } -- before Redis 7 an error is its text
                n = place
            end
            if repeats and keys[i] ~= keys[i + 1] then
                local failure = redis == once and write(keys[i])
                if failure then
                    for j = 1, i + 1 - first do
                        replies[from + j] = failure
                    end
                    n = from + i + 1 - first
                end
                first, from = i + 1, n
            end
        end
        while replies[n + 1] do -- what was decided before an error
            n, replies[n + 1] = n + 1, nil
        end
        KEYS, ARGV, redis = keys, all, commands
        return replies
    end
end
