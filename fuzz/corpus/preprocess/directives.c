#if ONE + 1 << 2 > 3 && (defined X || !F(0)) ? -1 : 0x7fu / 0
a
#elif __has_include("x.h") || __has_include(<math.h>)
b
#else
c
#endif
#line 7 "g.py"
d
# 1 "x" 1 3
e
#pragma once
#warning w
#error e
