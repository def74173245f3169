-- Releases permits from their sliding-window counters: see CountedWindowsRelease.lua. Permits that no longer affect an
-- estimate are gone already.
--
-- KEYS[1]  the string of SlidingWindowCounter.lua

return releaseInWindows(28, '<I5I7I7I7I2')
