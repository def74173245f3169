-- Releases permits from their fixed windows: see CountedWindowsRelease.lua. Permits of a window that has passed are gone
-- already.
--
-- KEYS[1]  the string of FixedWindow.lua

return releaseInWindows(21, '<I5I7I7I2')
