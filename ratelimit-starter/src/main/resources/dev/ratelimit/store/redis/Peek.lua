
-- The permits in the windows, and when the windows have room again: two decisions that take nothing. This script follows
-- the script of an algorithm, which decides. That one follows ReadOnly.lua, which keeps it from writing.
-- Twin and oracle: peek of the twin of the algorithm.
--
-- Reply    per window: remaining | micros until nothing counts any more | micros until one permit is free, 0 if one is;
--          what an algorithm replies after the windows stays

local decideOnce = decide

local function decide(now)
    ARGV[3] = '0' -- for the log: refusals are not counted. Elsewhere it concerns only what is written
    ARGV[2] = '1000000000000000' -- above every threshold: refused, and the reply shows what is left
    local reply, full = decideOnce(now), false
    for i = 1, #reply - #reply % 3, 3 do
        full = full or reply[i] == 0
        reply[i + 2] = 0
    end
    if full then
        ARGV[2] = '1'
        reply = decideOnce(now)
        for i = 1, #reply - #reply % 3, 3 do -- what is dated in the future, as the clock was set back, counts as of now
            reply[i + 2] = math.min(reply[i + 1], reply[i + 2])
        end
    end
    return reply
end

