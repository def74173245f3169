-- Counts permits that an instance has admitted without a call, whether or not there is room. Their receipts, one per window,
-- separated by blanks, are in the place of the permit id.
-- Twin and oracle: count of the twin of the algorithm.
local MODE = 'count'

