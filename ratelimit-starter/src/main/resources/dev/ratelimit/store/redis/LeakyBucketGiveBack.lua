-- Takes the permits of a request out of its leaky bucket, as far as it is certain that they are still in it.
--
-- ARGV     those of LeakyBucket.lua | its receipts
-- Reply    -1 without receipts, else 0 or more

return giveBackToBucket(4)
