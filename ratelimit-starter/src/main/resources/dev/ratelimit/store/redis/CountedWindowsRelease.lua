-- Releases permits from the windows of CountedWindows.lua, as if they had never been admitted. Each may be released only
-- once, because a counter does not know its permits. Needs no time.
--
-- Permits that no count contains any more are gone already. Where the clock has stepped back since, permits of before and
-- after the step cannot be distinguished.
--
-- ARGV     '-' | cost | and, unless the result was lost: ttlMillis | rounding | per window: threshold, windowMicros |
--          per window: its receipt
-- Reply    the number of windows credited; -1 if the permits cannot be identified: they stay counted

local function releaseInWindows(size, format)
    local cost, windows, text = ARGV[2] + 0, (#ARGV - 4) / 3, readText(KEYS[1])
    if windows < 1 then
        return -1
    end
    local written, credited, unknown, counts = '', 0, false, false
    for at = 1, #text % size == 0 and #text or 0, size do
        local record = { struct.unpack(format, text, at) }
        record[#record] = nil -- the place of the next one
        for i = 1, windows do
            local window, receipt = ARGV[4 + 2 * i] + 0, ARGV[4 + 2 * windows + i] + 0
            if record[1] == window / 1000 then
                local age = record[2] + 1 - math.floor(receipt / window)
                if age < 0 or receipt % window ~= record[#record] then
                    unknown = true
                elseif age < #record - 3 then -- the number of counts
                    record[3 + age] = math.max(0, record[3 + age] - cost)
                    credited = credited + 1
                end
            end
        end
        counts = counts or record[3] > 0 or #record == 5 and record[4] > 0
        written = written .. struct.pack(format, unpack(record))
    end
    if written ~= '' and (credited > 0 or not counts) then
        storeOrForget(written, counts)
    end
    return unknown and -1 or credited
end

