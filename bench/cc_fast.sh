#!/bin/sh
# The C compiler with options that may change results, behind those of the CPU device: a column of its own in the tables.
exec "${WHORL_CC:-cc}" "$@" -fno-wrapv -march=native -ffast-math -ffp-contract=fast
