-- Releases permits from their fixed windows: see CountedWindowsGiveBack.lua. Permits of a window that has passed are gone
-- already.
--
-- KEYS[1]  the string of FixedWindow.lua
-- ARGV     '-' | cost | and, unless the result was lost: ttlMillis | per window: threshold, windowMicros | per
--          window: its receipt

return giveBackToWindows(3, 4)
