// Declared so that a file may keep its main for other compilers; none of it runs in kernels.
#pragma once

#define LC_ALL 6
#define LC_NUMERIC 1

char *setlocale(int category, const char *locale);
