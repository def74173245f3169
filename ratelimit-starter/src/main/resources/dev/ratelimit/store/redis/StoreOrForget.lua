-- Stores what is left after a release. If nothing counts any more, the key ends at once, so that requests which other rules
-- refuse leave nothing behind. Until then its empty text counts as absent, too: SETRANGE must not keep that expiry.
local function storeOrForget(text, counts)
    if counts then
        redis.call('SET', KEYS[1], text, 'KEEPTTL')
    else
        redis.call('SET', KEYS[1], '', 'PX', '1')
    end
end

