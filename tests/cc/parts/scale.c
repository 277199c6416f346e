#include "parts.h"

double scale(double v) { return v * 0.5; }
