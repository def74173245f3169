-- Releases the permits of a request from its leaky bucket: see FlowingBucketGiveBack.lua.

if #ARGV == 2 then
    return -1
end
return giveBackToBucket()
