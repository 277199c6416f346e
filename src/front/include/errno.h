// Nothing: kernels have no errors of the system, so that a use of errno is one of an undeclared name.
#pragma once
