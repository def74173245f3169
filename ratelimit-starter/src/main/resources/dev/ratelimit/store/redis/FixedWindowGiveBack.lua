return -1
