-- Stores the configuration of a data centre, and returns all that were reported here.
--
-- KEYS[1]  string, MessagePack: a map from the name of a data centre to its configuration and the micros of its report
-- ARGV     name of a data centre | its configuration | millis after which it is forgotten
-- Reply    name | configuration | micros since it was reported | ...

local function decide(now)
    local NAME, CONFIGURATION, FORGET_MILLIS = ARGV[1], ARGV[2], ARGV[3] + 0
    local value = storedText()
    local _, held = pcall(cmsgpack.unpack, value or '')
    local centers, reply = {}, {}
    for name, center in pairs(type(held) == 'table' and held or {}) do
        if type(name) == 'string' and type(center) == 'table' and type(center[1]) == 'string' and type(center[2]) == 'number'
            and center[2] > now - FORGET_MILLIS * 1000 then
            centers[name] = center
        end
    end
    centers[NAME] = { CONFIGURATION, now }
    redis.call('SET', KEYS[1], cmsgpack.pack(centers), 'PX', ARGV[3])
    for name, center in pairs(centers) do
        reply[#reply + 1] = name
        reply[#reply + 1] = center[1]
        reply[#reply + 1] = math.max(0, now - center[2])
    end
    return reply
end

