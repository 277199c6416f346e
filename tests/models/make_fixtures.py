#!/usr/bin/env python3
"""Makes the files of tests/models that others' code is the judge of. Run by hand; what it makes is committed.

    python3 -m venv venv && venv/bin/pip install numpy gguf && venv/bin/python tests/models/make_fixtures.py

rows.gguf: a tensor of each type that whorl converts, and its rows as the package `gguf` computes them. Blocks of the K
types are random bytes with scales of ordinary size, since the package only reads them.
"""
import pathlib

import gguf
import numpy as np

HERE = pathlib.Path(__file__).parent
TYPES = gguf.GGMLQuantizationType


def random_blocks(rng, rows, blocks, size_bytes, halves):
    """Blocks of random bytes; the half floats that begin at the bytes `halves` are between 0.001 and 0.1."""
    raw = rng.integers(0, 256, (rows, blocks, size_bytes), dtype=np.uint8)
    for at in halves:
        scales = rng.uniform(0.001, 0.1, (rows, blocks, 1)).astype(np.float16)
        raw[:, :, at : at + 2] = scales.view(np.uint8)
    return raw.reshape(rows, blocks * size_bytes)


def rows_of_every_type(path):
    rng = np.random.default_rng(20261123)
    values = (rng.standard_normal((3, 256)) * 0.1).astype(np.float32)
    values[0, :4] = [0, -0.0, 1e-8, 70000]
    writer = gguf.GGUFWriter(path, "llama")
    made = {
        "f32": (values, TYPES.F32),
        "f16": (values[:, :].clip(-6e4, 6e4).astype(np.float16), TYPES.F16),
        "bf16": (gguf.quants.quantize(values, TYPES.BF16), TYPES.BF16),
        "q8_0": (gguf.quants.quantize(values * 0 + values.clip(-9, 9), TYPES.Q8_0), TYPES.Q8_0),
        "q4_0": (gguf.quants.quantize(values.clip(-9, 9), TYPES.Q4_0), TYPES.Q4_0),
        "q4_1": (gguf.quants.quantize(values.clip(-9, 9), TYPES.Q4_1), TYPES.Q4_1),
        "q5_0": (gguf.quants.quantize(values.clip(-9, 9), TYPES.Q5_0), TYPES.Q5_0),
        "q5_1": (gguf.quants.quantize(values.clip(-9, 9), TYPES.Q5_1), TYPES.Q5_1),
        "q5_k": (random_blocks(rng, 3, 2, 176, (0, 2)), TYPES.Q5_K),
        "q4_k": (random_blocks(rng, 3, 2, 144, (0, 2)), TYPES.Q4_K),
        "q6_k": (random_blocks(rng, 3, 2, 210, (208,)), TYPES.Q6_K),
    }
    for name, (data, kind) in made.items():
        if kind in (TYPES.F32, TYPES.F16):
            writer.add_tensor(name, data)
            expected = data.astype(np.float32)
        else:
            writer.add_tensor(name, data, raw_dtype=kind)
            expected = gguf.quants.dequantize(data, kind)
        writer.add_tensor(name + ".f32", np.ascontiguousarray(expected, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    rows_of_every_type(HERE / "rows.gguf")
