-- The flow of a bucket, in whole numbers. A permit is `permit` units, and `refill` units flow in a microsecond. The two
-- have no common divisor, so nothing is ever lost to rounding.
-- Twin: dev.ratelimit.store.memory.Flow.

-- (a * b + c) / d, rounded down, and the remainder. Exact even if a * b is not: then a is split into digits of 7 bits. a
-- and the quotient are below 2^53; b, c and d are below 2^46.
local function mulDiv(a, b, c, d)
    local x = a * b + c
    local rest = x % d
    if x < 2 ^ 53 then -- below it every whole number is exact
        return (x - rest) / d, rest
    end
    local quotient = 0
    rest = 0
    for shift = 49, 0, -7 do
        x = rest * 128 + math.floor(a / 2 ^ shift) % 128 * b
        rest = x % d
        quotient = quotient * 128 + (x - rest) / d
    end
    x = rest + c
    rest = x % d
    return quotient + (x - rest) / d, rest
end
