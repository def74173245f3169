-- Takes permits, if all windows have room.
local MODE = 'take'

