"""Compares two .npy files; exit status 0 where they agree within the tolerance, 1 where not, 2 for wrong usage.

usage: compare_outputs.py A.npy B.npy exact | abs X | rel X | rank R | moments X | curve X

abs, rel: every element within X, of B's magnitude for rel; rank: Spearman's rank correlation (ties share their mean rank) of at
least R; moments: mean and deviation within X deviations of B; curve: the mean distance within X of what B ranges over. The last two are
for runs that take other random numbers. NaN in the same place of both is left out, any other is wrong; a float below FLT_MIN may be 0
under rel, as cli/verdict.h says. Prints one line of what was found.
"""
import sys

import numpy as np

FLT_MIN = np.finfo(np.float32).tiny.astype(np.float64)

def ranks(values):
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse.ravel()]


def rank_correlation(a, b):
    """1 for equal arrays, constant ones too; 0 where only one of them is constant."""
    if np.array_equal(a, b):
        return 1.0
    a, b = ranks(a), ranks(b)
    a, b = a - a.mean(), b - b.mean()
    scale = np.sqrt((a * a).sum() * (b * b).sum())
    return float((a * b).sum() / scale) if scale > 0 else 0.0


def verdict(a, b, kind, tolerance):
    """(agree, text)"""
    if a.shape != b.shape:
        return False, f"shapes {a.shape} and {b.shape} differ"
    if a.size == 0:
        return False, "nothing to compare"
    a, b = a.astype(np.float64).ravel(), b.astype(np.float64).ravel()
    if (np.isnan(a) != np.isnan(b)).any():
        return False, f"NaN: {np.isnan(a).sum()} and {np.isnan(b).sum()}"
    numbers = ~np.isnan(a)
    left_out, a, b = a.size - numbers.sum(), a[numbers], b[numbers]
    if a.size == 0:
        return False, "all elements are NaN on both sides"
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.where(a == b, 0.0, np.abs(a - b))
        small_a, small_b = np.abs(a) < FLT_MIN, np.abs(b) < FLT_MIN
        near_a, near_b = np.where(small_a, np.copysign(FLT_MIN, b), a), np.where(small_b, np.copysign(FLT_MIN, a), b)
        relative = np.where((error == 0) | (small_a & small_b), 0.0, np.abs(near_a - near_b) / np.abs(near_b))
    rank = rank_correlation(a, b) if kind == "rank" else None  # a sort: slow for millions of elements
    far = {"moments": lambda: max(abs(a.mean() - b.mean()), abs(a.std() - b.std())) / (b.std() or 1),
           "curve": lambda: error.mean() / (b.max() - b.min() or 1)}.get(kind, lambda: None)()
    agree = {"exact": error.max() == 0, "abs": error.max() <= tolerance, "rel": relative.max() <= tolerance,
             "rank": rank is not None and rank >= tolerance, "moments": far is not None and far <= tolerance,
             "curve": far is not None and far <= tolerance}[kind]
    words = f"largest abs {error.max():.3g}, rel {relative.max():.3g}"
    return bool(agree), words + (f", rank {rank:.6f}" if rank is not None else "") + (f", {kind} {far:.3g}" if far is not None else "") + f", {a.size} elements" + \
        (f", {left_out} more are NaN on both sides" if left_out else "")


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 3 and arguments[2] == "exact":
        arguments.append("0")
    if len(arguments) != 4 or arguments[2] not in ("exact", "abs", "rel", "rank", "moments", "curve"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        a, b, tolerance = np.load(arguments[0]), np.load(arguments[1]), float(arguments[3])
    except (OSError, ValueError) as problem:
        print(f"compare_outputs: {problem}", file=sys.stderr)
        return 2
    agree, text = verdict(a, b, arguments[2], tolerance)
    print(f"{'ok' if agree else 'DIFFERENT'}: {arguments[0]} {arguments[1]} {arguments[2]} {arguments[3]}: {text}")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
