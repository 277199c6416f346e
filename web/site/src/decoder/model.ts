// A model of the qwen2 and llama families in Hugging Face's form, as the arrays of programs/models/transformer.c. Nothing
// of a file is believed before it is checked: sizes, offsets and shapes first, then bytes.
export interface Config {
    layers: number;
    d: number;
    heads: number;
    kv: number;
    hd: number;
    ffn: number;
    vocab: number;
    eps: number;
    theta: number;
}
type Bytes = Uint8Array<ArrayBuffer>;
interface Tensor {
    shape: number[];
    data: Bytes; // halves
}
const MOST_HEADER = 1 << 24;

function whole(object: Record<string, unknown>, name: string, most: number): number {
    const value = object[name];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
        throw new Error(`config.json: ${name} is no whole number from 1 to ${most}`);
    return value;
}

export function readConfig(text: string): Config {
    const json = JSON.parse(text) as Record<string, unknown>;
    if (json.model_type !== 'qwen2' && json.model_type !== 'llama')
        throw new Error(`config.json: models of the type '${String(json.model_type)}' are not read here`);
    if (json.tie_word_embeddings !== true) throw new Error('config.json: only tied embeddings are read here');
    const heads = whole(json, 'num_attention_heads', 256);
    const d = whole(json, 'hidden_size', 1 << 16);
    const kv = whole(json, 'num_key_value_heads', heads);
    if (d % heads !== 0 || heads % kv !== 0 || (d / heads) % 2 !== 0)
        throw new Error('config.json: the heads do not fit');
    const rope = (json.rope_parameters ?? json) as Record<string, unknown>;
    const theta = Number(rope.rope_theta ?? 10000);
    if (!(theta >= 1) || (rope.rope_type ?? 'default') !== 'default') throw new Error('config.json: another rope');
    const eps = Number(json.rms_norm_eps);
    if (!(eps > 0 && eps < 1)) throw new Error('config.json: rms_norm_eps is not between 0 and 1');
    const layers = whole(json, 'num_hidden_layers', 512);
    const ffn = whole(json, 'intermediate_size', 1 << 18);
    return { layers, d, heads, kv, hd: d / heads, ffn, vocab: whole(json, 'vocab_size', 1 << 20), eps, theta };
}

export function readTensors(file: ArrayBuffer): Map<string, Tensor> {
    const size = file.byteLength >= 8 ? Number(new DataView(file).getBigUint64(0, true)) : Infinity;
    if (!(size <= MOST_HEADER && size + 8 <= file.byteLength)) throw new Error('model.safetensors: no header');
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, size))) as Record<string, unknown>;
    const start = 8 + size;
    const out = new Map<string, Tensor>();
    for (const [name, value] of Object.entries(header)) {
        if (name === '__metadata__') continue;
        const { dtype, shape, data_offsets } = value as { dtype: unknown; shape: unknown; data_offsets: unknown };
        const wrong = (why: string): Error => new Error(`model.safetensors: ${name.slice(0, 80)} ${why}`);
        if (dtype !== 'F16') throw wrong(`holds ${String(dtype)}, only F16 is read here`);
        const isWhole = (x: unknown): x is number => Number.isSafeInteger(x) && (x as number) >= 0;
        if (!Array.isArray(shape) || !shape.every(isWhole)) throw wrong('has no shape');
        if (!Array.isArray(data_offsets) || data_offsets.length !== 2 || !data_offsets.every(isWhole))
            throw wrong('has no place');
        const [from, to] = data_offsets as number[];
        const bytes = (shape as number[]).reduce((a, b) => a * b, 2);
        if (to - from !== bytes || start + to > file.byteLength) throw wrong('lies outside of the file');
        out.set(name, { shape: shape as number[], data: new Uint8Array(file, start + from, bytes) });
    }
    return out;
}

function floats(halves: Bytes): Float32Array<ArrayBuffer> {
    const out = new Float32Array(halves.length / 2);
    for (let i = 0; i < out.length; i++) {
        const bits = halves[2 * i] | (halves[2 * i + 1] << 8);
        const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
        const size =
            exponent === 31
                ? fraction
                    ? NaN
                    : Infinity
                : exponent === 0
                  ? fraction * 2 ** -24
                  : (1 + fraction / 1024) * 2 ** (exponent - 15);
        out[i] = bits & 0x8000 ? -size : size;
    }
    return out;
}

function joined(parts: Bytes[]): Bytes {
    const out = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
    let at = 0;
    for (const part of parts) {
        out.set(part, at);
        at += part.length;
    }
    return out;
}

/** The weights by the names of the program's parameters. */
export function arraysOf(config: Config, tensors: Map<string, Tensor>): Record<string, ArrayBufferView> {
    const { layers, d, heads, kv, hd, ffn, vocab, theta } = config;
    const get = (name: string, ...shape: number[]): Bytes => {
        const tensor = tensors.get(name);
        if (!tensor) throw new Error(`model.safetensors: ${name} is missing`);
        if (tensor.shape.join() !== shape.join())
            throw new Error(`model.safetensors: ${name} is [${tensor.shape.join()}], not [${shape.join()}]`);
        return tensor.data;
    };
    const each = (one: (prefix: string) => Bytes[]): Bytes =>
        joined(Array.from({ length: layers }, (_, l) => one(`model.layers.${l}.`)).flat());
    const [q, k] = [heads * hd, kv * hd];
    const hasBias = tensors.has('model.layers.0.self_attn.q_proj.bias');
    return {
        embed: get('model.embed_tokens.weight', vocab, d),
        norm1: floats(each((p) => [get(`${p}input_layernorm.weight`, d)])),
        wqkv: each((p) => [
            get(`${p}self_attn.q_proj.weight`, q, d),
            get(`${p}self_attn.k_proj.weight`, k, d),
            get(`${p}self_attn.v_proj.weight`, k, d),
        ]),
        bqkv: hasBias
            ? floats(
                  each((p) => [
                      get(`${p}self_attn.q_proj.bias`, q),
                      get(`${p}self_attn.k_proj.bias`, k),
                      get(`${p}self_attn.v_proj.bias`, k),
                  ]),
              )
            : new Float32Array(layers * (q + 2 * k)),
        wo: each((p) => [get(`${p}self_attn.o_proj.weight`, d, q)]),
        norm2: floats(each((p) => [get(`${p}post_attention_layernorm.weight`, d)])),
        gate: each((p) => [get(`${p}mlp.gate_proj.weight`, ffn, d)]),
        up: each((p) => [get(`${p}mlp.up_proj.weight`, ffn, d)]),
        down: each((p) => [get(`${p}mlp.down_proj.weight`, d, ffn)]),
        norm3: floats(get('model.norm.weight', d)),
        rope: Float32Array.from({ length: hd / 2 }, (_, i) => theta ** ((-2 * i) / hd)),
    };
}
