-- Returns the subjects that have an item that is to be leased, the longest waiting first. Writes nothing
-- unless the clock has stepped back.
--
-- KEYS     the subjects, the items and their ages as in QueueEnqueue.lua | stream of the rule's dead letters
-- ARGV     the maximum number of subjects to return
-- Reply    micros until the next subject is due, 0 if another one is due already, -1 if there is none | number of items |
--          number of dead letters | age of the oldest item in micros | subject...

local function run(now)
    local DUE, ITEMS, AGES, DEAD, MOST = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1] + 0
    local oldest = redis.call('ZRANGE', AGES, 0, 0, 'WITHSCORES')
    local age = oldest[2] and math.max(0, now - oldest[2]) or 0
    local reply = { -1, redis.call('HLEN', ITEMS), redis.call('XLEN', DEAD), age }
    local first = redis.call('ZRANGE', DUE, 0, '+inf', 'BYSCORE', 'LIMIT', 0, MOST + 1, 'WITHSCORES')
    for i = 1, #first, 2 do
        local micros = first[i + 1] + 0
        if micros > now or i > 2 * MOST then
            reply[1] = math.max(0, micros - now)
            break
        end
        reply[#reply + 1] = first[i]
    end
    return reply
end

