-- The permits in the windows, and when the windows have room again. Takes and writes nothing.
-- Twin and oracle: peek of the twin of the algorithm.
--
-- ARGV     those of a call on one key in Keys.lua
-- Reply    per window: remaining | micros until nothing counts any more | micros until one permit is free, 0 if one is;
--          what an algorithm replies after the windows stays
local function decide(now)
    local limit, state, reply = limitOf(ARGV), {}, {}
    read(state, now, KEYS[1], limit)
    local n = judge(state, now, limit, ARGV[1], 1, 'look', reply, 0)
    for i = 3, n, 3 do -- what is dated in the future, as the clock was set back, counts as of now
        reply[i] = math.min(reply[i - 1], reply[i])
    end
    return reply
end
