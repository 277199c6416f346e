// not linked
#include "parts.h"

double scale(double v) { return v * 1000; }
