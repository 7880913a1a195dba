# SPDX-License-Identifier: GPL-2.0-only
# Two functions for a second and a half; the second one takes longer.
import time


def warm_function(n):
    s = n
    for i in range(n):
        s = ((s * 31 + i) ^ (s >> 3)) & 0xFFFFFFFF
    return s


def hot_function(n):
    s = n
    for i in range(3 * n):
        s = ((s * 33 + i) ^ (s >> 5)) & 0xFFFFFFFF
    return s


end = time.monotonic() + 1.5
x = 0
while time.monotonic() < end:
    x += warm_function(2000) + hot_function(2000)
