-- Stores the configuration of a data centre, and returns all that were reported here.
--
-- KEYS[1]  string, MessagePack: a map from the name of a data centre to its configuration, the micros of its report, and the
--          micros of its last report that this is its own Redis, 0 if there was none
-- ARGV     name of a data centre | its configuration | 1 if this is its own Redis, else 0 | millis after which it is forgotten
-- Reply    name | configuration | micros since its report | micros since it reported that this is its own Redis, -1 if it
--          never did | ...

local function decide(now)
    local NAME, CONFIGURATION, IS_HOME, FORGET_MILLIS = ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[4] + 0
    local _, held = pcall(cmsgpack.unpack, readText(KEYS[1]))
    local centers, reply = {}, {}
    for name, center in pairs(type(held) == 'table' and held or {}) do
        if type(name) == 'string' and type(center) == 'table' and type(center[1]) == 'string' and type(center[2]) == 'number'
            and type(center[3]) == 'number' and center[2] > now - FORGET_MILLIS * 1000 then
            centers[name] = center
        end
    end
    centers[NAME] = { CONFIGURATION, now, IS_HOME and now or centers[NAME] and centers[NAME][3] or 0 }
    redis.call('SET', KEYS[1], cmsgpack.pack(centers), 'PX', ARGV[4])
    for name, center in pairs(centers) do
        reply[#reply + 1] = name
        reply[#reply + 1] = center[1]
        reply[#reply + 1] = math.max(0, now - center[2])
        reply[#reply + 1] = center[3] > 0 and math.max(0, now - center[3]) or -1
    end
    return reply
end

