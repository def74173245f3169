
-- Stores the message of a peer, and replies with a message to it. Only what is stored is acknowledged. Messages may be lost,
-- late, repeated and out of order: of each number of a window, the largest one is stored.
-- Twin and oracle: receive of PooledWindow, in the tests.
--
-- ARGV     name of the peer | millis by which a key outlives its content | per window: windowMillis | its number | own of
--          the peer | its born | how many of the permits taken here it acknowledges | the born that it acknowledges | its
--          threshold, share and bound; 0 if it has not decided lately
-- Reply    per window the same from here to the peer, beginning with the number

-- Nothing is admitted here any more in a window that has passed, so all permits of it are acknowledged without being stored.
-- A window after the next one has no place, so nothing of it is acknowledged.
local function receive(window, now, name, number, own, born, acknowledged, acknowledgedBorn, terms)
    local age = window[1] - number
    if age > 0 then
        return { number, 0, 0, own, born, 0, 0, 0 }
    elseif age < -1 then
        return { number, 0, 0, 0, 0, 0, 0, 0 }
    end
    local here = window[3 - age]
    window[5] = now
    if acknowledged > here[2] then -- this Redis has lost them; they are in use
        here[1], here[2] = here[1] + acknowledged - here[2], acknowledged
    end
    local peer = here[3][name] or { 0, 0, 0, 0, 0, 0 }
    here[3][name] = peer
    peer[1] = math.max(peer[1], own)
    if born > 0 then
        peer[2] = born
    end
    if acknowledgedBorn == window[2] then -- else it acknowledges permits from before a loss of data
        peer[3] = math.max(peer[3], acknowledged)
    end
    peer[4], peer[5], peer[6] = terms[1], terms[2], terms[3]
    local threshold, share, bound = presentTerms(window, here, now)
    return { number, here[2], window[2], peer[1], peer[2], threshold, share, bound }
end

local function decide(now)
    local windows, reply = readWindows(KEYS[1]), {}
    for i = 3, #ARGV - 8, 9 do
        local length = ARGV[i] + 0
        local message = receive(windowOf(windows, length, now), now, ARGV[1], ARGV[i + 1] + 0, ARGV[i + 2] + 0,
            ARGV[i + 3] + 0, ARGV[i + 4] + 0, ARGV[i + 5] + 0, { ARGV[i + 6] + 0, ARGV[i + 7] + 0, ARGV[i + 8] + 0 })
        for _, number in ipairs(message) do
            reply[#reply + 1] = number
        end
    end
    writeWindows(KEYS[1], windows, now, ARGV[2] + 0)
    return reply
end

