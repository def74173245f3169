
-- a * b / c in whole numbers, also if a * b is not exact: then by long division, with digits as large as possible.
local function share(a, b, c, up)
    local quotient, rest = 0, a * b
    if rest < 2 ^ 53 then
        local over = rest % c
        quotient, rest = (rest - over) / c, over
    else
        local base, place = math.floor(2 ^ 53 / (b + c)), 1
        while place * base <= a do
            place = place * base
        end
        rest = 0
        while place >= 1 do
            local digit = math.floor(a / place)
            a = a - digit * place
            rest = rest * base + digit * b
            quotient = quotient * base + math.floor(rest / c)
            rest = rest % c
            place = place / base
        end
    end
    return up and rest > 0 and quotient + 1 or quotient
end
