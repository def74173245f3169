-- The windows of StoredNumbers.lua: the requested ones come first. Up to eight others follow, the most recently requested
-- first.
-- Twin and oracle: dev.ratelimit.store.memory.CountedWindows.

-- The windows in the order of the arguments from a first to a last place, where their lengths in microseconds are, followed
-- by the others. A window that is not found starts with zeros.
local function arrange(held, first, last, fields)
    local counters, asked = { true }, {}
    for i = first, last, 2 do
        local length, from = ARGV[i] / 1000, nil
        for at = 2, #held + 1 - fields, fields do
            from = held[at] == length and at or from
        end
        asked[length] = true
        counters[#counters + 1] = length
        for field = 1, fields - 1 do
            counters[#counters + 1] = from and held[from + field] or 0
        end
    end
    for at = 2, #held + 1 - fields, fields do
        for field = 0, asked[held[at]] and -1 or fields - 1 do
            counters[#counters + 1] = held[at + field]
        end
    end
    return counters
end

-- Stores windows. From a place on, these are others, which were not requested: at most eight of them stay, until nothing of
-- them counts any more. A count matters until `windows` windows after the start of its own window, and the count stored
-- after it until one window earlier. As long as no window begins, the key lives long enough, and keeping its expiry takes
-- half the time.
local function store(held, from, now, fields, windows, begins)
    local to, last, ttl = from, from + 8 * fields, ARGV[3]
    for at = from, #held + 1 - fields, fields do
        local length, index = held[at], held[at + 1]
        local left = 0
        if held[at + 2] > 0 then
            left = (index + windows) * length - now / 1000
        elseif windows > 1 and held[at + 3] > 0 then
            left = (index + 1) * length - now / 1000
        end
        if left > 0 and to < last and length <= 34560000000 then -- no window is longer than 400 days
            for field = 0, fields - 1 do
                held[to + field] = held[at + field]
            end
            to = to + fields
            ttl = math.max(ttl, math.min(math.ceil(left), windows * length) + 100)
        end
    end
    local text = textOf(held, 2, to - 1, fields)
    if begins then
        redis.call('SET', KEYS[1], text, 'PX', ttl)
    else
        redis.call('SET', KEYS[1], text, 'KEEPTTL')
    end
end

