"""A decoder of the families that whorl runs, written from their published definitions in plain Python and 64-bit floats.

It shares no code and no table with src/model: it has its own readers of safetensors and GGUF. So a mistake in either shows
as a difference. Slow: some ten million products a second, which is enough for the models that make_families.py makes.
"""
import json
import math
import pathlib
import struct
from array import array
from operator import mul


# ---- numbers ----

def halves(values):
    """The nearest half floats."""
    return list(struct.unpack(f"<{len(values)}e", struct.pack(f"<{len(values)}e", *values)))


def floats_of(kind, data):
    """The numbers that `data` holds, as the format of each element type defines them."""
    if kind == "F32":
        return list(struct.unpack(f"<{len(data) // 4}f", data))
    if kind == "F16":
        return list(struct.unpack(f"<{len(data) // 2}e", data))
    if kind == "BF16":  # the upper half of a float
        words = array("I", (w << 16 for w in struct.unpack(f"<{len(data) // 2}H", data)))
        return list(struct.unpack(f"<{len(words)}f", struct.pack(f"<{len(words)}I", *words)))
    size, take = {"Q8_0": (34, q8_0), "Q4_0": (18, q4_0), "Q4_K": (144, q4_k), "Q6_K": (210, q6_k)}[kind]
    out = []
    for at in range(0, len(data), size):
        out += take(data[at : at + size])
    return out


def half_at(block, at):
    return struct.unpack_from("<e", block, at)[0]


def q8_0(block):
    d = half_at(block, 0)
    return [d * q for q in struct.unpack_from("<32b", block, 2)]


def q4_0(block):
    d, bytes_ = half_at(block, 0), block[2:]
    return [d * ((b & 15) - 8) for b in bytes_] + [d * ((b >> 4) - 8) for b in bytes_]


def q4_k(block):
    d, dmin, packed, out = half_at(block, 0), half_at(block, 2), block[4:16], []
    for part in range(8):  # 32 numbers each; a scale and a least value of six bits
        if part < 4:
            scale, least = packed[part] & 63, packed[part + 4] & 63
        else:
            scale = (packed[part + 4] & 15) + 16 * (packed[part - 4] >> 6)
            least = (packed[part + 4] >> 4) + 16 * (packed[part] >> 6)
        bytes_ = block[16 + part // 2 * 32 :][:32]
        out += [d * scale * (b >> 4 if part % 2 else b & 15) - dmin * least for b in bytes_]
    return out


def q6_k(block):
    d, out = half_at(block, 208), []
    for i in range(256):
        half, row, at = i // 128, i // 32 % 4, i % 32
        low, high = block[half * 64 + row % 2 * 32 + at], block[128 + half * 32 + at]
        q = (low >> 4 if row >= 2 else low & 15) | (high >> 2 * row & 3) << 4
        out.append(d * struct.unpack_from("<b", block, 192 + i // 16)[0] * (q - 32))
    return out


def eighths(values):
    """Of whorl's form q8: 32 numbers as whole ones times a half float, the largest 127."""
    out = []
    for at in range(0, len(values), 32):
        part = values[at : at + 32]
        d = halves([max(map(abs, part)) / 127])[0]
        out += [d * math.copysign(min(127, math.floor(abs(v) / d + 0.5)), v) if d else 0.0 for v in part]
    return out


def sixteenths(values):
    """Of whorl's form q4: the same, the one that is farthest from 0 is -8."""
    out = []
    for at in range(0, len(values), 32):
        part = values[at : at + 32]
        d = halves([max(part, key=abs) / -8])[0]
        out += [d * max(-8, min(7, math.copysign(math.floor(abs(v / d) + 0.5), v / d))) if d else 0.0 for v in part]
    return out


def is_words(name):
    """The embedding and the head, which --quantize q4 makes to q8."""
    return "embed_tokens" in name or "lm_head" in name


# ---- files: {name: (shape, numbers)}, and config.json's words ----

def read_safetensors(path):
    data = path.read_bytes()
    size = struct.unpack_from("<Q", data)[0]
    out = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            out[name] = entry["shape"], floats_of(entry["dtype"], data[8 + size + first : 8 + size + last])
    return out


def read_folder(folder):
    tensors = {}
    for path in sorted(folder.glob("*.safetensors")):
        tensors.update(read_safetensors(path))
    return json.loads((folder / "config.json").read_text()), tensors


SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
TYPES = {0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 8: ("Q8_0", 32, 34), 12: ("Q4_K", 256, 144), 14: ("Q6_K", 256, 210), 30: ("BF16", 1, 2)}


class Gguf:
    def __init__(self, path):
        self.data, self.at = path.read_bytes(), 4
        assert self.data[:4] == b"GGUF" and self.take("I") in (2, 3)
        count, values = self.take("Q"), self.take("Q")
        self.values = {}
        for _ in range(values):
            key = self.text()
            self.values[key] = self.value(self.take("I"))
        entries = []
        for _ in range(count):
            name = self.text()
            dims = [self.take("Q") for _ in range(self.take("I"))]
            entries.append((name, dims, self.take("I"), self.take("Q")))
        align = self.values.get("general.alignment", 32)
        base = -(-self.at // align) * align
        self.tensors = {}
        for name, dims, code, offset in entries:
            kind, block, size = TYPES[code]
            bytes_ = math.prod(dims) // block * size
            self.tensors[name] = dims[::-1], floats_of(kind, self.data[base + offset : base + offset + bytes_])

    def take(self, code):
        value = struct.unpack_from("<" + code, self.data, self.at)[0]
        self.at += struct.calcsize("<" + code)
        return value

    def text(self):
        size = self.take("Q")
        self.at += size
        return self.data[self.at - size : self.at].decode()

    def value(self, kind):
        if kind == 8:
            return self.text()
        if kind == 9:
            inner = self.take("I")
            return [self.value(inner) for _ in range(self.take("Q"))]
        return self.take(SCALARS[kind])


IN_LAYERS = {
    "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm",
    "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}
OUTSIDE = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight", "output.weight": "lm_head.weight"}


def from_pairs(rows, heads):
    """Rows of a head stand as 0, h/2, 1, h/2 + 1, ... where neighbours are rotated together; back to halves."""
    size, out = len(rows) // heads, []
    for head in range(heads):
        part = rows[head * size : (head + 1) * size]
        out += part[0::2] + part[1::2]
    return out


def read_gguf(path):
    """As config.json's words and names, so that one decoder runs both."""
    file = Gguf(path)
    family = file.values["general.architecture"]
    get = lambda key, otherwise=None: file.values.get(f"{family}.{key}", otherwise)
    heads = get("attention.head_count")
    config = {
        "model_type": family, "num_hidden_layers": get("block_count"), "hidden_size": get("embedding_length"),
        "intermediate_size": get("feed_forward_length"), "num_attention_heads": heads, "rms_norm_eps": get("attention.layer_norm_rms_epsilon"),
        "num_key_value_heads": get("attention.head_count_kv", heads), "head_dim": get("attention.key_length", get("embedding_length") // heads),
        "rope_theta": get("rope.freq_base", 10000.0), "tie_word_embeddings": "output.weight" not in file.tensors,
        "eos_token_id": file.values.get("tokenizer.ggml.eos_token_id"), "max_position_embeddings": get("context_length"),
        "vocab_size": file.tensors["token_embd.weight"][0][0],
    }
    if get("rope.scaling.type") == "linear":
        config["rope_scaling"] = {"rope_type": "linear", "factor": get("rope.scaling.factor")}
    if "rope_freqs.weight" in file.tensors:
        config["rope_scaling"] = {"rope_type": "divided", "by": file.tensors["rope_freqs.weight"][1]}
    tensors = {}
    for name, (shape, values) in file.tensors.items():
        if name == "rope_freqs.weight":
            continue
        parts = name.split(".")
        new = OUTSIDE.get(name) or f"model.layers.{parts[1]}.{IN_LAYERS[parts[2]]}.{parts[3]}"
        if family == "llama" and parts[2:3] in (["attn_q"], ["attn_k"]):
            of = heads if parts[2] == "attn_q" else config["num_key_value_heads"]
            rows = [values[i : i + shape[-1]] for i in range(0, len(values), shape[-1])] if len(shape) == 2 else [[v] for v in values]
            values = [v for row in from_pairs(rows, of) for v in row]
        tensors[new] = shape, values
    return config, tensors


def read(path):
    path = pathlib.Path(path)
    return read_folder(path) if path.is_dir() else read_gguf(path)


# ---- the decoder ----

def frequencies(config, size):
    theta, scaling = config.get("rope_theta", 10000.0), config.get("rope_scaling") or {}
    plain = [theta ** (-2 * i / size) for i in range(size // 2)]
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "linear":
        return [f / scaling["factor"] for f in plain]
    if kind == "divided":
        return [f / by for f, by in zip(plain, scaling["by"])]
    if kind != "llama3":
        return plain
    out = []
    low = scaling["original_max_position_embeddings"] / scaling["low_freq_factor"]
    high = scaling["original_max_position_embeddings"] / scaling["high_freq_factor"]
    for f in plain:  # by wavelength: short ones stay, long ones are stretched, those between are a mean of both
        wave = 2 * math.pi / f
        share = (scaling["original_max_position_embeddings"] / wave - scaling["low_freq_factor"]) / (scaling["high_freq_factor"] - scaling["low_freq_factor"])
        out.append(f if wave < high else f / scaling["factor"] if wave > low else (1 - share) * f / scaling["factor"] + share * f)
    return out


def norm(x, weight, eps):
    by = 1 / math.sqrt(sum(map(mul, x, x)) / len(x) + eps)
    return [a * by * w for a, w in zip(x, weight)]


class Decoder:
    """kept: a function of a matrix's numbers, and of its name, that gives those which whorl keeps on the device."""

    def __init__(self, config, tensors, kept=lambda values, name: halves(values)):
        get = config.get
        self.config, self.tensors, self.eps = config, {}, get("rms_norm_eps", 1e-6)
        self.layers, self.heads = config["num_hidden_layers"], config["num_attention_heads"]
        self.kv = get("num_key_value_heads") or self.heads
        self.size = get("head_dim") or config["hidden_size"] // self.heads
        self.turn = frequencies(config, self.size)
        for name, (shape, values) in tensors.items():
            if len(shape) == 1:
                self.tensors[name] = values
                continue
            values = kept(values, name)
            self.tensors[name] = [values[i : i + shape[1]] for i in range(0, len(values), shape[1])]
        self.keys = [[[] for _ in range(self.kv)] for _ in range(self.layers)]
        self.values = [[[] for _ in range(self.kv)] for _ in range(self.layers)]
        self.position = 0
        self.steer, self.ablated, self.trace = {}, set(), []  # layer: vector; (layer, head); of the last token, by layer

    def product(self, name, x):
        out = [sum(map(mul, row, x)) for row in self.tensors[name + ".weight"]]
        bias = self.tensors.get(name + ".bias")
        return [a + b for a, b in zip(out, bias)] if bias else out

    def rotate(self, x):
        half, out = self.size // 2, [0.0] * self.size
        for i, f in enumerate(self.turn):
            c, s = math.cos(self.position * f), math.sin(self.position * f)
            out[i], out[i + half] = x[i] * c - x[i + half] * s, x[i + half] * c + x[i] * s
        return out

    def heads_of(self, layer, what, count, x, is_turned):
        flat, out = self.product(f"{layer}.self_attn.{what}_proj", x), []
        weight = self.tensors.get(f"{layer}.self_attn.{what}_norm.weight")
        for h in range(count):
            head = flat[h * self.size : (h + 1) * self.size]
            head = norm(head, weight, self.eps) if weight else head
            out.append(self.rotate(head) if is_turned else head)
        return out

    def attend(self, l, x):
        layer, mixed = f"model.layers.{l}", []
        queries = self.heads_of(layer, "q", self.heads, x, True)
        for h, (key, value) in enumerate(zip(self.heads_of(layer, "k", self.kv, x, True), self.heads_of(layer, "v", self.kv, x, False))):
            self.keys[l][h].append(key)
            self.values[l][h].append(value)
        for h, q in enumerate(queries):
            of = h // (self.heads // self.kv)
            scores = [sum(map(mul, q, k)) / math.sqrt(self.size) for k in self.keys[l][of]]
            most = max(scores)
            weights = [math.exp(s - most) for s in scores]
            whole = sum(weights)
            mixed += [0.0 if (l, h) in self.ablated else sum(map(mul, weights, column)) / whole for column in zip(*self.values[l][of])]
        return self.product(f"{layer}.self_attn.o_proj", mixed)

    def step(self, token):
        """The logits of what follows `token`, which stands behind all tokens given before."""
        x = self.tensors["model.embed_tokens.weight"][token]
        self.trace = []
        for l in range(self.layers):
            layer = f"model.layers.{l}"
            x = [a + b for a, b in zip(x, self.attend(l, norm(x, self.tensors[f"{layer}.input_layernorm.weight"], self.eps)))]
            y = norm(x, self.tensors[f"{layer}.post_attention_layernorm.weight"], self.eps)
            gate, up = self.product(f"{layer}.mlp.gate_proj", y), self.product(f"{layer}.mlp.up_proj", y)
            inner = [g / (1 + math.exp(-g)) * u for g, u in zip(gate, up)]
            x = [a + b for a, b in zip(x, self.product(f"{layer}.mlp.down_proj", inner))]
            x = [a + b for a, b in zip(x, self.steer[l])] if l in self.steer else x
            self.trace.append(x)
        self.position += 1
        head = "lm_head" if "lm_head.weight" in self.tensors and not self.config.get("tie_word_embeddings") else "model.embed_tokens"
        return self.product(head, norm(x, self.tensors["model.norm.weight"], self.eps))
