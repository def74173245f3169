-- Reports whether a subject has items. Needs no time.
--
-- KEYS[1]  stream of the subject's items
-- Reply    1, or 0 if it has none

return redis.call('EXISTS', KEYS[1])
