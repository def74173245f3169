-- Releases permits from their fixed windows: see CountedWindowsGiveBack.lua. Permits of a window that has passed are gone
-- already.
--
-- KEYS[1]  the string of FixedWindow.lua

return giveBackToWindows(21, '<I5I7I7I2')
