-- Releases permits from their sliding-window counters: see CountedWindowsGiveBack.lua. Permits that no longer affect an
-- estimate are gone already.
--
-- KEYS[1]  the string of SlidingWindowCounter.lua
-- ARGV     '-' | cost | and, unless the result was lost: ttlMillis | rounding | per window: threshold, windowMicros |
--          per window: its receipt

return giveBackToWindows(4, 5)
