#!/usr/bin/env python3
"""Makes small models of every family with random weights, in every form that whorl reads: a few hundred kilobytes each.

    python3 tests/models/make_families.py FOLDER [NAME...]

A name is a folder as Hugging Face has it, or with .gguf a file. The same names give the same bytes. Only Python's own
library is needed; the writers here share nothing with the readers of family_reference.py or of src/model.
"""
import argparse
import json
import math
import pathlib
import random
import struct

VOCAB, MERGES = 320, ("t h", "th e", "Ġ the", "i n", "a n")
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 64}

# d must be a multiple of 256 for the K types, whose blocks are that long
WIDE = {"d": 256, "ffn": 256, "heads": 4, "kv": 2, "hd": 64, "layers": 2}
SLIM = {"d": 96, "ffn": 160, "heads": 6, "kv": 2, "hd": 16, "layers": 3}
MODELS = {
    "llama_f32": dict(SLIM, family="llama", kv=6, kind="F32"),
    "llama3_bf16": dict(SLIM, family="llama", kind="BF16", theta=500000.0, scaling=LLAMA3, tied=True),
    "llama_linear_f16": dict(SLIM, family="llama", kind="F16", scaling={"type": "linear", "factor": 4.0}, files=3),
    "qwen2_bf16": dict(SLIM, family="qwen2", kind="BF16", tied=True, theta=1e6),
    "qwen2_head_f16": dict(SLIM, family="qwen2", kind="F16", kv=1, heads=3, hd=32),
    "qwen3_128_bf16": dict(SLIM, family="qwen3", kind="BF16", heads=2, kv=1, hd=128, theta=1e6),
    "qwen3_64_f32": dict(SLIM, family="qwen3", kind="F32", heads=4, kv=2, hd=64, tied=True),
    "llama3_f16.gguf": dict(SLIM, family="llama", kind="F16", theta=500000.0, scaling=LLAMA3, tied=True),
    "llama_linear_bf16.gguf": dict(SLIM, family="llama", kind="BF16", scaling={"type": "linear", "factor": 4.0}, bias=True),
    "llama_q8_0.gguf": dict(SLIM, family="llama", kind="Q8_0"),
    "llama_q4_k.gguf": dict(WIDE, family="llama", kind="Q4_K", better="Q6_K"),
    "llama_q4_0.gguf": dict(SLIM, family="llama", kind="Q4_0"),
    "qwen3_q4_0_q6_k.gguf": dict(WIDE, family="qwen3", kind="Q4_0", better="Q6_K", values="Q8_0"),
    "qwen2_q4_0.gguf": dict(SLIM, family="qwen2", kind="Q4_0", better="Q8_0", tied=True, theta=1e6),
    "qwen2_q6_k.gguf": dict(WIDE, family="qwen2", kind="Q6_K"),
    "qwen3_128_q8_0.gguf": dict(SLIM, family="qwen3", kind="Q8_0", heads=2, kv=1, hd=128, theta=1e6, tied=True),
    "qwen3_64_q4_k.gguf": dict(WIDE, family="qwen3", kind="Q4_K", better="F32", theta=1e6, layers=1),
}


# ---- weights: (name, rows or None, columns, mean, deviation); sizes such that attention looks at some tokens more than at others ----

def parts_of(m):
    d, ffn, q, kv = m["d"], m["ffn"], m["heads"] * m["hd"], m["kv"] * m["hd"]
    yield "model.embed_tokens.weight", VOCAB, d, 0, 2 / math.sqrt(d) if m.get("tied") else 1
    for l in range(m["layers"]):
        at = f"model.layers.{l}."
        yield at + "input_layernorm.weight", None, d, 1, 0.2
        for name, rows, spread in (("q", q, 1.5), ("k", kv, 1.5), ("v", kv, 1)):
            yield f"{at}self_attn.{name}_proj.weight", rows, d, 0, spread / math.sqrt(d)
            if m["family"] == "qwen2" or m.get("bias"):
                yield f"{at}self_attn.{name}_proj.bias", None, rows, 0, 0.5
        if m["family"] == "qwen3":
            yield at + "self_attn.q_norm.weight", None, m["hd"], 1.2, 0.3
            yield at + "self_attn.k_norm.weight", None, m["hd"], 1.2, 0.3
        yield at + "self_attn.o_proj.weight", d, q, 0, 2 / math.sqrt(q)
        yield at + "post_attention_layernorm.weight", None, d, 1, 0.2
        yield at + "mlp.gate_proj.weight", ffn, d, 0, 1.5 / math.sqrt(d)
        yield at + "mlp.up_proj.weight", ffn, d, 0, 1.5 / math.sqrt(d)
        yield at + "mlp.down_proj.weight", d, ffn, 0, 1.5 / math.sqrt(ffn)
    yield "model.norm.weight", None, d, 1, 0.2
    if not m.get("tied"):
        yield "lm_head.weight", VOCAB, d, 0, 2 / math.sqrt(d)


# ---- element types ----

def half(value):
    return struct.pack("<e", value)


def q8_0(values):
    d = struct.unpack("<e", half(max(map(abs, values)) / 127))[0]
    return half(d) + struct.pack("<32b", *(max(-127, min(127, round(v / d))) if d else 0 for v in values))


def q4_0(values):
    d = struct.unpack("<e", half(max(values, key=abs) / -8))[0]
    q = [max(0, min(15, round(v / d) + 8)) if d else 8 for v in values]
    return half(d) + bytes(q[i] | q[i + 16] << 4 for i in range(16))


def q4_k(rng, spread):
    """Random nibbles: nobody's rounding to the nearest is the definition, what the bytes mean is."""
    scales = [rng.randrange(20, 60) for _ in range(8)]
    least = [s + rng.randrange(-3, 4) for s in scales]
    packed = bytearray(12)
    for i in range(4):
        packed[i] = scales[i] | scales[i + 4] >> 4 << 6
        packed[i + 4] = least[i] | least[i + 4] >> 4 << 6
        packed[i + 8] = scales[i + 4] & 15 | (least[i + 4] & 15) << 4
    return half(spread / 185) + half(7.5 * spread / 185) + bytes(packed) + rng.randbytes(128)


def q6_k(rng, spread):
    scales = [rng.choice((-1, 1)) * rng.randrange(40, 128) for _ in range(16)]
    return rng.randbytes(192) + struct.pack("<16b", *scales) + half(spread / 1480)


def encode(kind, rng, count, mean, spread):
    """The bytes of `count` random numbers."""
    if kind in ("Q4_K", "Q6_K"):
        return b"".join((q4_k if kind == "Q4_K" else q6_k)(rng, spread) for _ in range(count // 256))
    values = [rng.gauss(mean, spread) for _ in range(count)]
    if kind in ("Q8_0", "Q4_0"):
        block = q8_0 if kind == "Q8_0" else q4_0
        return b"".join(block(values[i : i + 32]) for i in range(0, count, 32))
    if kind == "F16":
        return struct.pack(f"<{count}e", *values)
    data = struct.pack(f"<{count}f", *values)
    return data if kind == "F32" else b"".join(data[i + 2 : i + 4] for i in range(0, 4 * count, 4))  # BF16: cut


# ---- the tokenizer: bytes and a few merges; ids up to VOCAB are tokens of no text, as in padded vocabularies ----

def letters():
    """Byte-level BPE's printable letter of each byte."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [b for b in range(256) if b not in plain]
    return [chr(b) if b in plain else chr(256 + rest.index(b)) for b in range(256)]


def tokens():
    return letters() + [merge.replace(" ", "") for merge in MERGES] + ["<|end|>"]


def tokenizer_json():
    names = tokens()
    return {
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None, "post_processor": None,
        "added_tokens": [{"id": len(names) - 1, "content": names[-1], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "fuse_unk": False, "byte_fallback": False,
                  "vocab": {name: i for i, name in enumerate(names[:-1])}, "merges": list(MERGES)},
    }


# ---- a folder as Hugging Face has it ----

def config_json(m):
    config = {
        "architectures": [{"llama": "LlamaForCausalLM", "qwen2": "Qwen2ForCausalLM", "qwen3": "Qwen3ForCausalLM"}[m["family"]]],
        "model_type": m["family"], "hidden_act": "silu", "hidden_size": m["d"], "intermediate_size": m["ffn"], "num_attention_heads": m["heads"],
        "num_key_value_heads": m["kv"], "num_hidden_layers": m["layers"], "vocab_size": VOCAB, "max_position_embeddings": 256, "rms_norm_eps": 1e-3,
        "rope_theta": m.get("theta", 10000.0), "tie_word_embeddings": m.get("tied", False), "eos_token_id": len(tokens()) - 1,
    }
    if m["hd"] * m["heads"] != m["d"]:
        config["head_dim"] = m["hd"]
    if "scaling" in m:
        config["rope_scaling"] = m["scaling"]
    return config


def write_safetensors(path, entries):
    header, at = {}, 0
    for name, kind, shape, data in entries:
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data for _, _, _, data in entries))


def write_folder(folder, m, rng):
    folder.mkdir(parents=True, exist_ok=True)
    entries = [(name, m["kind"], [columns] if rows is None else [rows, columns], encode(m["kind"], rng, (rows or 1) * columns, mean, spread))
               for name, rows, columns, mean, spread in parts_of(m)]
    files = m.get("files", 1)
    if files == 1:
        write_safetensors(folder / "model.safetensors", entries)
    else:
        names = [f"model-{i + 1:05}-of-{files:05}.safetensors" for i in range(files)]
        for i, name in enumerate(names):
            write_safetensors(folder / name, entries[i::files])
        index = {"metadata": {}, "weight_map": {entry[0]: names[i % files] for i, entry in enumerate(entries)}}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    (folder / "config.json").write_text(json.dumps(config_json(m), indent=1))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer_json()))


# ---- GGUF ----

NAMES = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
    "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
    "embed_tokens": "token_embd", "norm": "output_norm", "lm_head": "output",
}
CODES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q8_0": 8, "Q4_K": 12, "Q6_K": 14, "BF16": 30}


def gguf_name(name):
    words = name.removeprefix("model.").split(".")
    layer = f"blk.{words[1]}." if words[0] == "layers" else ""
    words = words[2:] if layer else words
    return f"{layer}{NAMES['.'.join(words[:-1])]}.{words[-1]}"


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value_of(value):
    if isinstance(value, str):
        return struct.pack("<I", 8) + text(value)
    if isinstance(value, list):
        inner = [value_of(item) for item in value]
        return struct.pack("<I", 9) + inner[0][:4] + struct.pack("<Q", len(inner)) + b"".join(item[4:] for item in inner)
    return struct.pack("<If", 6, value) if isinstance(value, float) else struct.pack("<II", 4, value)


def metadata(m):
    family, names = m["family"], tokens()
    values = {
        "general.architecture": family, f"{family}.block_count": m["layers"], f"{family}.embedding_length": m["d"],
        f"{family}.feed_forward_length": m["ffn"], f"{family}.attention.head_count": m["heads"], f"{family}.attention.head_count_kv": m["kv"],
        f"{family}.attention.layer_norm_rms_epsilon": 1e-3, f"{family}.context_length": 256, f"{family}.rope.freq_base": m.get("theta", 10000.0),
        "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2", "tokenizer.ggml.tokens": names,
        "tokenizer.ggml.merges": list(MERGES), "tokenizer.ggml.eos_token_id": len(names) - 1,
    }
    if m["hd"] * m["heads"] != m["d"]:
        values[f"{family}.attention.key_length"] = values[f"{family}.attention.value_length"] = m["hd"]
    if m.get("scaling", {}).get("type") == "linear":
        values[f"{family}.rope.scaling.type"], values[f"{family}.rope.scaling.factor"] = "linear", m["scaling"]["factor"]
    # types are signed numbers
    kinds = struct.pack("<IIQ", 9, 5, len(names)) + struct.pack(f"<{len(names)}i", *([1] * (len(names) - 1) + [3]))
    return [(key, value_of(value)) for key, value in values.items()] + [("tokenizer.ggml.token_type", kinds)]


def llama3_factors(m):
    """What converters make of llama3's scaling: a divisor of each frequency."""
    s, out = m["scaling"], []
    for i in range(m["hd"] // 2):
        wave = 2 * math.pi * m["theta"] ** (2 * i / m["hd"])
        old, low, high = s["original_max_position_embeddings"], s["low_freq_factor"], s["high_freq_factor"]
        smooth = (old / wave - low) / (high - low)
        out.append(1.0 if wave < old / high else s["factor"] if wave > old / low else 1 / ((1 - smooth) / s["factor"] + smooth))
    return struct.pack(f"<{len(out)}f", *out)


def write_gguf(path, m, rng):
    entries, at, body = [], 0, b""
    for name, rows, columns, mean, spread in parts_of(m):
        kind = "F32" if rows is None else m.get("better", m["kind"]) if "embed" in name or "down" in name else m["kind"]
        kind = m.get("values", kind) if "v_proj.weight" in name else kind
        entries.append((gguf_name(name), [columns] + ([rows] if rows else []), kind, encode(kind, rng, (rows or 1) * columns, mean, spread)))
    if m.get("scaling", {}).get("rope_type") == "llama3":
        entries.append(("rope_freqs.weight", [m["hd"] // 2], "F32", llama3_factors(m)))
    values = metadata(m)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(entries), len(values)) + b"".join(text(key) + value for key, value in values)
    for name, dims, kind, data in entries:
        head += text(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, CODES[kind], at)
        data += bytes(-len(data) % 32)
        body, at = body + data, at + len(data)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(head + bytes(-len(head) % 32) + body)


def make(folder, name):
    """The model's path."""
    path, m = pathlib.Path(folder) / name, MODELS[name]
    (write_gguf if name.endswith(".gguf") else write_folder)(path, m, random.Random(f"{name} 1"))
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of " + ", ".join(MODELS))
    given = parser.parse_args()
    for wanted in given.names or MODELS:
        if wanted not in MODELS:
            parser.error(f"there is no model {wanted}")
        print(make(given.folder, wanted))
