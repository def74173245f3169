
-- Releases permits of windows whose limit several data centres share. Permits from the pool are used again here, because
-- own never falls. Each may be released only once, because a counter does not know its permits. Needs no time.
-- Twin and oracle: release of PooledWindow, in the tests.
--
-- ARGV     permit id | cost | and, unless the result was lost: the arguments of the limit as in PooledWindow.lua | per
--          window: its receipt
-- Reply    the number of windows credited; -1 if the permits cannot be identified: they stay counted

local cost, size, credited = ARGV[2] + 0, (#ARGV - 4) / 6, 0
if size < 1 then
    return -1
end
local windows = readWindows(KEYS[1])
for i = 1, size do
    local length, receipt = ARGV[5 * i] + 0, ARGV[4 + 5 * size + i] + 0
    local window = windows[length]
    if window and (window[1] + 1) * length * 1000 == receipt then
        window[3][1] = math.max(0, window[3][1] - cost)
        credited = credited + 1
    end
end
if credited > 0 then
    redis.call('SET', KEYS[1], cmsgpack.pack(windows), 'KEEPTTL')
end
return credited
