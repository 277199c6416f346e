0x1.8p-3f 017 07 1e5L 3u 12ull 1.5 'a' '\n' L'\u20ac' "s\x41\0" u8"ö" <: %:%: a\
b /* c
 */ d // e \
 f
