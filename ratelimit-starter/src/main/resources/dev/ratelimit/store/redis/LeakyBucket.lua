local function decide(now)
    return {}
end
