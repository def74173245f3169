-- Deletes the counts of a client. PEXPIRE deletes, and needs no right that the other scripts do not need.
--
-- KEYS[1]  the key of any algorithm
-- Reply    whether there was anything to delete

return redis.call('PEXPIRE', KEYS[1], '-1')
