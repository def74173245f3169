-- Fixed windows whose limit several data centres share. Each data centre may use its share. The rest is a pool, from which a
-- data centre takes what is left as far as it knows, and never more than a bound that the others have not acknowledged.
-- Twin and oracle: PooledWindow, in the tests.
--
-- KEYS[1]  string, MessagePack: a map from the length of a window in milliseconds to: number of the current window, which
--          never goes back | born, the micros when this was created: another one after a loss of data | the slot of the
--          current window | the slot of the next one | micros of the last message | micros of the last decision with the
--          stored terms
--          of a slot: used, the permits in use here | own, the permits that this data centre has taken from the pool,
--          which never fall | a map from the name of a peer, which is another data centre, to its numbers | threshold,
--          share and bound (how much of own may lack an acknowledgement) as of the last decision here
--          of a peer: its own, as it was last received | its born | how many of the permits taken here it has acknowledged |
--          its threshold, share and bound; 0 if they are not known

-- How long messages and terms matter: a data centre that decides sends newer ones.
local LATELY_MICROS = 10000000

local function isCount(number)
    return type(number) == 'number' and number >= 0 and number < 1e16 and number % 1 == 0
end

local function areCounts(numbers, from, to)
    for i = from, to do
        if not isCount(numbers[i]) then
            return false
        end
    end
    return true
end

local function isSlot(slot)
    if type(slot) ~= 'table' or type(slot[3]) ~= 'table' or not areCounts(slot, 1, 2) or not areCounts(slot, 4, 6) then
        return false
    end
    for name, peer in pairs(slot[3]) do
        if type(name) ~= 'string' or type(peer) ~= 'table' or not areCounts(peer, 1, 6) then
            return false
        end
    end
    return true
end

local function isWindow(window)
    return type(window) == 'table' and areCounts(window, 1, 2) and isSlot(window[3]) and isSlot(window[4])
        and areCounts(window, 5, 6)
end

-- Whether another data centre has reported another limit. Without a pool, shares differ by the remainder of the division.
local function differs(peer, threshold, share, bound)
    return peer[4] > 0 and (peer[4] ~= threshold or peer[6] ~= bound or bound > 0 and peer[5] ~= share)
end

-- Threshold, share and bound of a slot as they are sent. Old ones may be those of a rule that has changed meanwhile, so they
-- are not sent: then a peer takes this data centre to have its own.
local function presentTerms(window, slot, now)
    if window[6] > now - LATELY_MICROS then
        return slot[4], slot[5], slot[6]
    end
    return 0, 0, 0
end

-- All windows under the key. What is not ours counts as absent: it must neither lock a client out nor crash a decision.
local function readWindows(key)
    local _, held = pcall(cmsgpack.unpack, readText(key))
    local windows = {}
    for length, window in pairs(type(held) == 'table' and held or {}) do
        if isCount(length) and isWindow(window) then
            windows[length] = window
        end
    end
    return windows
end

local function emptySlot()
    return { 0, 0, {}, 0, 0, 0 }
end

-- The windows of a length as of now. Their number does not go back, not even when the clock does: nothing is admitted in a
-- window after the next one has begun.
local function windowOf(windows, length, now)
    local clock, window = math.floor(now / (length * 1000)), windows[length]
    if not window then
        window = { clock, now, emptySlot(), emptySlot(), 0, 0 }
        windows[length] = window
    elseif window[1] + 1 == clock then
        window[1], window[3], window[4] = clock, window[4], emptySlot()
    elseif window[1] < clock then
        window[1], window[3], window[4] = clock, emptySlot(), emptySlot()
    end
    return window
end

-- Stores the windows until the next one has ended, and some time longer.
local function writeWindows(key, windows, now, slackMillis)
    local ttl = 0
    for length, window in pairs(windows) do
        local left = (window[1] + 2) * length - now / 1000
        if left <= 0 then
            windows[length] = nil
        else
            ttl = math.max(ttl, math.ceil(left) + slackMillis)
        end
    end
    redis.call('SET', key, cmsgpack.pack(windows), 'PX', string.format('%.0f', ttl))
end
