-- Releases permits from the windows of CountedWindows.lua, as if they had never been admitted. Each may be released only
-- once, because a counter does not know its permits. Needs no time.
--
-- Permits that no count contains any more are gone already. Where the clock has stepped back since, permits of before and
-- after the step cannot be distinguished.
--
-- ARGV     '-' | cost | and, unless the result was lost: others, up to a place | per window: threshold, windowMicros |
--          per window: its receipt
-- Reply    the number of windows credited; -1 if the permits cannot be identified: they stay counted

local function giveBackToWindows(place, fields)
    local cost, windows = ARGV[2] + 0, (#ARGV - place) / 3
    if windows < 1 then
        return -1
    end
    local held, credited, unknown = storedNumbers(fields), 0, false
    for i = 1, windows do
        local window, receipt = ARGV[place + 2 * i] + 0, ARGV[place + 2 * windows + i] + 0
        for at = 2, #held + 1 - fields, fields do
            if held[at] == window / 1000 then
                local age = held[at + 1] + 1 - math.floor(receipt / window)
                if age < 0 or receipt % window ~= held[at + fields - 1] then
                    unknown = true
                elseif age < fields - 3 then -- the number of counts
                    held[at + 2 + age] = math.max(0, held[at + 2 + age] - cost)
                    credited = credited + 1
                end
            end
        end
    end
    local counts = false
    for at = 2, #held + 1 - fields, fields do
        counts = counts or held[at + 2] > 0 or fields == 5 and held[at + 3] > 0
    end
    if #held > 1 and (credited > 0 or not counts) then
        storeRest(textOf(held, 2, #held, fields), counts)
    end
    return unknown and -1 or credited
end

