-- Decides several keys with one script, one after the other and all at the same time, so that requests can share a round
-- trip. Each is decided exactly as alone, a key that comes twice as if the second had come later.
--
-- KEYS     the keys, all in one slot of a Cluster
-- ARGV     per key: permit id | cost | how many arguments of its limit follow, 0 where they are those of the key before |
--          these
-- Reply    per key: the reply of the script, or the error that ended it, which concerns no other key
--
-- Out of memory, Redis refuses only the first write of a script: where the first keys of a call are refused for that, so
-- are the next ones up to one that writes what needs no memory; those behind it are decided as if there were memory.

local function decideOne(KEYS, ARGV, now)
--[[ the script ]]
return decide(now)
end

local function decide(now)
    local replies, arguments, at = {}, {}, 1
    for i = 1, #KEYS do
        local count = ARGV[at + 2] + 0
        if count > 0 then
            arguments = { ARGV[at], ARGV[at + 1], unpack(ARGV, at + 3, at + 2 + count) }
        else
            arguments[1], arguments[2] = ARGV[at], ARGV[at + 1]
        end
        local decided, reply = pcall(decideOne, { KEYS[i] }, arguments, now)
        if not decided and type(reply) ~= 'table' then -- before Redis 7 an error is its text
            reply = { err = reply }
        end
        replies[i] = reply
        at = at + 3 + count
    end
    return replies
end
