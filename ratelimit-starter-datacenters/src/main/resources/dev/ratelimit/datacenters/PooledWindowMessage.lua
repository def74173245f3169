
-- Returns the message to a peer about the current windows. Writes nothing.
-- Twin and oracle: message of PooledWindow, in the tests.
--
-- ARGV     name of the peer | windowMillis...
-- Reply    per window as PooledWindowExchange.lua receives it, and 1 if the message is to be sent, else 0

local function decide(now)
    local windows, reply = readWindows(KEYS[1]), {}
    for i = 2, #ARGV do
        local window = windowOf(windows, ARGV[i] + 0, now)
        local current = window[3]
        local peer = current[3][ARGV[1]] or { 0, 0, 0, 0, 0, 0 }
        local threshold, share, bound = presentTerms(window, current, now)
        local isNeeded = current[2] > peer[3] or differs(peer, threshold, share, bound)
        for _, number in ipairs({ window[1], current[2], window[2], peer[1], peer[2], threshold, share, bound,
            isNeeded and 1 or 0 }) do
            reply[#reply + 1] = number
        end
    end
    return reply
end

