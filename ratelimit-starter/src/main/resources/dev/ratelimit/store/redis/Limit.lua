-- The arguments of a limit, in the places that they have in a call on one key. All from the fifth on become numbers, once
-- for all keys: to make a number of its text takes as long as some commands.
local function limitOf(arguments)
    for i = 5, #arguments do
        arguments[i] = arguments[i] + 0
    end
    return arguments
end

