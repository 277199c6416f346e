// The words alone: complex numbers are refused where the entry reaches them.
#pragma once

#define complex _Complex
#define imaginary _Imaginary
#define I _Complex_I
