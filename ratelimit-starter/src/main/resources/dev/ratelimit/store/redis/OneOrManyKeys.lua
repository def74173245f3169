-- Decides one key, or several with one command, so that requests can share a round trip: one after the other and all at
-- the same time. Each is decided exactly as alone, a key that comes twice as if the second had come later.
--
-- KEYS     one key, or the keys, all in one slot of a Cluster
-- ARGV     of one key: permit id | cost | the arguments of its limit
--          of several, per key: permit id | cost | how many arguments of its limit follow, 0 where they are those of the
--          key before | these
-- Reply    of one key: the reply of the script; of several, per key: the same, or the error that ended it, which concerns
--          no other key
--
-- Out of memory, Redis refuses only the first write of a script: where the first keys of a call are refused for that, so
-- are the next ones up to one that writes what needs no memory; those behind it are decided as if there were memory.

local KEYS, ARGV = KEYS, ARGV -- those of the key that is decided

--[[ the script ]]

local decideOne = decide
local function decide(now)
    local keys, all, at = KEYS, ARGV, 1
    if #keys == 1 then
        return decideOne(now)
    end
    local replies = {}
    KEYS, ARGV = {}, {}
    for i = 1, #keys do
        local count = all[at + 2] + 0
        if count > 0 then
            ARGV = { all[at], all[at + 1], unpack(all, at + 3, at + 2 + count) }
        else
            ARGV[1], ARGV[2] = all[at], all[at + 1]
        end
        KEYS[1] = keys[i]
        local decided, reply = pcall(decideOne, now)
        if not decided and type(reply) ~= 'table' then -- before Redis 7 an error is its text
            reply = { err = reply }
        end
        replies[i] = reply
        at = at + 3 + count
    end
    KEYS, ARGV = keys, all
    return replies
end
