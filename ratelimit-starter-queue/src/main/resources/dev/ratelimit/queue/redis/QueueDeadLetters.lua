-- Returns a page of the dead letters of a rule, the oldest first. Reads them completely, so a page is short. Needs no time.
--
-- KEYS[1]  stream of the rule's dead letters
-- ARGV     - for the first page, otherwise ( and the last entry of the page before | number of letters
-- Reply    per letter: its entry | subject | reason | attempts | id | micros since 1970 at which it was enqueued

local reply = {}
for _, letter in ipairs(redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])) do
    local fields = letter[2]
    for _, value in ipairs({ letter[1], fields[2], fields[4], fields[6] + 0, fields[8], fields[10] + 0 }) do
        reply[#reply + 1] = value
    end
end
return reply
