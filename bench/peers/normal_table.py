"""The table of programs/lib/normal_table.h as an array [256][4] of uint32, read from the header itself."""
import pathlib
import re

import numpy as np


def table():
    text = (pathlib.Path(__file__).resolve().parents[2] / "programs/lib/normal_table.h").read_text()
    rows = re.findall(r"\{(\d+)u, (\d+)u, (\d+)u, (\d+)u\}", text)
    return np.array(rows, dtype=np.uint64).astype(np.uint32).reshape(256, 4)
