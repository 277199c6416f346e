// Exponentials, logarithms, powers, hyperbolic functions and the error functions.
//
// The polynomials are minimax fits of our own (Remez, coefficients rounded to f32 one after the other). Rules that keep them right
// on every driver: a product whose rounding would matter is exact (few-bit constants, masked operands), so that contraction to fma
// changes nothing; a sum whose rounding error is taken back has passed through its bits, because NVIDIA's compiler knows that
// (a - (a + b)) + b is 0 and takes (0.5 h) h for 0.5 (h h); powers of two are put into the exponent's bits; NaN and infinity are told
// by their bits.

// The integer n (|n| < 2^22) of a float in the low bits, as two's complement.
fn whorl_low_bits(n: f32) -> u32 {
    return bitcast<u32>(n + 12582912.0f);
}

// The integer next to x f (|x f| < 2^22) in the low bits of a float; the float less 12582912 is the integer. An instruction for rounding
// is several times slower on GPUs. The bits that are set here are set anyway: no compiler may take the two sums for nothing.
fn whorl_to_low_bits(x: f32, f: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x * f + 12582912.0f) | 0x4b000000u);
}

// p * 2^n for p near 1 where the result is normal.
fn whorl_scale(p: f32, n: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(p) + (whorl_low_bits(n) << 23u));
}

// exp(x + low), |low| far below |x|; results under 2^-126 are 0. What the exponent's bits cannot hold is mended by selects, because a
// branch costs more: NaN and what is too large by a product that is NaN or infinite.
fn whorl_exp2sum(x: f32, low: f32) -> f32 {
    let t = whorl_to_low_bits(x, 1.44269504f);
    let n = t - 12582912.0f;
    let r = ((x - n * 0.693145752f) - n * 1.42860677e-6f) + low;
    let q = 0.49999997f + r * (0.166665226f + r * (0.0416671038f + r * (0.0083691999f + r * 0.00139209768f)));
    let y = bitcast<f32>(bitcast<u32>(1.0f + (r + r * r * q)) + (bitcast<u32>(t) << 23u));
    return select(select(y, 0.0f, x < -87.3365448f), x * 3e38f, !(x <= 88.7228317f));
}

fn whorl_exp(x: f32) -> f32 {
    return whorl_exp2sum(x, 0.0f);
}

fn whorl_exp2(x: f32) -> f32 {
    let t = whorl_to_low_bits(x, 1.0f);
    let r = x - (t - 12582912.0f);
    let q = 0.240226924f + r * (0.0555025935f + r * (0.00961249229f + r * (0.00134238403f + r * 0.00017093269f)));
    let y = bitcast<f32>(bitcast<u32>(1.0f + (r * 0.693147242f + r * r * q)) + (bitcast<u32>(t) << 23u));
    return select(select(y, 0.0f, x < -126.0f), x * 3e38f, !(x < 128.0f));
}

// 2^n (e^r - 1) + (2^n - 1), computed at half size so that 2^128 does not occur.
fn whorl_expm1(x: f32) -> f32 {
    let c = clamp(x, -20.0f, 89.0f);
    let n = round(c * 1.44269504f);
    let r = (c - n * 0.693145752f) - n * 1.42860677e-6f;
    let q = 0.5f + r * (0.166665226f + r * (0.0416666083f + r * (0.00836920086f + r * 0.00139180908f)));
    let m = r + r * r * q;
    let half = bitcast<f32>((whorl_low_bits(n) + 126u) << 23u);
    let y = select(2.0f * (m * half + (half - 0.5f)), m, n == 0.0f);
    // zero and subnormals keep their sign, NaN stays
    return select(y, x, (bitcast<u32>(x) & 0x7fffffffu) - 0x00800000u > 0x7f000000u);
}

// tanh(x) = 2t / (1 + t^2) with t = tanh(x/2) = x P(x^2) / 2Q(x^2). One division does both, and where the result is near 1 the errors of
// t hardly count. Never above 1: programs take sqrt(1 - t t). Where the device's own exp2 is good: a polynomial for small x, and
// 1 - 2 / (exp(2x) + 1), to whose error exp adds less than it has.
fn whorl_tanh(x: f32) -> f32 {
    //! exp2 2.85: if (true) { return whorl_tanh_by_exp2(x); }
    let c = min(abs(x), 9.01f);
    let z = c * c;
    let n = c + (c * z) * (0.0297774374f + z * 0.000114333445f);
    let d = 1.0f + z * (0.113110736f + z * (0.00120693108f + z * 1.23070629e-6f));
    let size = min((n * d) / (d * d + 0.25f * (n * n)), 1.0f);
    let y = bitcast<f32>(bitcast<u32>(size) | (bitcast<u32>(x) & 0x80000000u));
    return select(y, x, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);
}

fn whorl_tanh_by_exp2(x: f32) -> f32 {
    let a = abs(x);
    let z = x * x;
    let small = a * (1.0f + z * (-0.33332947f + z * (0.13320729f + z * (-0.05267201f + z * 0.016437879f))));
    let large = 1.0f - 2.0f / (exp2(a * 2.88539008f) + 1.0f);
    return bitcast<f32>(bitcast<u32>(select(large, small, a < 0.55f)) | (bitcast<u32>(x) & 0x80000000u));
}

// For --fast-math: small results have few digits.
fn whorl_fast_tanh(x: f32) -> f32 {
    return 1.0f - 2.0f / (exp2(x * 2.88539008f) + 1.0f);
}

fn whorl_sinh(x: f32) -> f32 {
    let a = abs(x);
    let t = whorl_expm1(min(a, 88.0f));
    var y = 0.5f * (t + t / (t + 1.0f));
    if (a > 88.0f) {
        let h = whorl_exp(0.5f * a);
        y = bitcast<f32>(bitcast<u32>(h) - 0x00800000u) * h;
    }
    y = bitcast<f32>(bitcast<u32>(y) | (bitcast<u32>(x) & 0x80000000u));
    return select(y, x, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);
}

fn whorl_cosh(x: f32) -> f32 {
    let a = abs(x);
    let e = whorl_exp(min(a, 88.0f));
    var y = 0.5f * e + 0.5f / e;
    if (a > 88.0f) {
        let h = whorl_exp(0.5f * a);
        y = bitcast<f32>(bitcast<u32>(h) - 0x00800000u) * h;
    }
    return select(y, x, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);
}

// log(1 + f) - f for f in [sqrt(1/2) - 1, sqrt(2) - 1].
fn whorl_log_tail(f: f32) -> f32 {
    let a = 0.333333313f + f * (-0.250008255f + f * (0.200012654f + f * (-0.166232198f + f * 0.142007157f)));
    let z = f * f;
    let p = a + (f * z) * (z * (-0.131603837f + f * (0.127685592f + f * -0.0764227286f)));
    return z * (f * p - 0.5f);
}

// x = 2^e (1 + f) with f as above: (f, e). Only for positive normal x.
fn whorl_split(bits: u32) -> vec2<f32> {
    let moved = bits - 0x3f3504f3u;
    let f = bitcast<f32>((moved & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
    return vec2<f32>(f, f32(bitcast<i32>(moved) >> 23u));
}

// The same for any x above 0. What is not is brought to 1 here and mended by whorl_log_edges.
fn whorl_log_parts(x: f32) -> vec2<f32> {
    var bits = bitcast<u32>(x);
    var more = 0.0f;
    if (bits - 0x00800000u >= 0x7f000000u) {
        // subnormals, by their integer value: drivers may take them for 0
        let small = bits - 1u < 0x007fffffu;
        bits = select(0x3f800000u, bitcast<u32>(f32(bits & 0x7fffffu)), small);
        more = select(0.0f, -149.0f, small);
    }
    let parts = whorl_split(bits);
    return vec2<f32>(parts.x, parts.y + more);
}

fn whorl_log_edges(x: f32, y: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    if (bits - 1u >= 0x7f7fffffu) {
        if (size == 0u) {
            return bitcast<f32>(size | 0xff800000u);
        }
        // infinity and NaN stay, what is negative is NaN
        return bitcast<f32>(select(bits, bits | 0x7fc00000u, (bits > 0x7f800000u)));
    }
    return y;
}

fn whorl_log(x: f32) -> f32 {
    let parts = whorl_log_parts(x);
    let low = parts.y * 1.42860677e-6f + whorl_log_tail(parts.x);
    return whorl_log_edges(x, parts.y * 0.693145752f + (parts.x + low));
}

// f log2(e) in two pieces: f has 24 bits, its upper 12 times the upper 12 of log2(e) are exact.
fn whorl_log2(x: f32) -> f32 {
    let parts = whorl_log_parts(x);
    let f = parts.x;
    let high = bitcast<f32>(bitcast<u32>(f) & 0xfffff000u);
    let low = (f - high) + whorl_log_tail(f);
    return whorl_log_edges(x, parts.y + (high * 1.44238281f + (low * 1.44269504f + high * 0.000312228396f)));
}

fn whorl_log10(x: f32) -> f32 {
    let parts = whorl_log_parts(x);
    let f = parts.x;
    let high = bitcast<f32>(bitcast<u32>(f) & 0xfffff000u);
    let low = ((f - high) + whorl_log_tail(f)) * 0.434294492f + (high * 9.03803375e-5f + parts.y * 4.60503907e-6f);
    return whorl_log_edges(x, parts.y * 0.30102539f + (high * 0.434204102f + low));
}

// 1 + x with what its rounding lost; where no rounding matters, x itself.
fn whorl_log1p(x: f32) -> f32 {
    let sum = bitcast<f32>(bitcast<u32>(1.0f + x) & 0xfffffffeu);
    let near = (x > -0.29f) && (x < 0.41f);
    let parts = whorl_log_parts(sum);
    let f = select(parts.x, x, near);
    let e = select(parts.y, 0.0f, near);
    let lost = select(select(x - (sum - 1.0f), 1.0f - (sum - x), x > 1.0f) / sum, 0.0f, near || (abs(x) > 16777216.0f) || (x <= -1.0f));
    let y = e * 0.693145752f + (f + (whorl_log_tail(f) + (e * 1.42860677e-6f + lost)));
    // zero and subnormals keep their sign
    return select(whorl_log_edges(select(sum, 1.0f, near), y), x, (bitcast<u32>(x) & 0x7fffffffu) < 0x00800000u);
}

// log(|x| + sqrt(x^2 + 1)), by log1p so that small x keep their digits.
fn whorl_asinh(x: f32) -> f32 {
    let a = abs(x);
    let z = a * a;
    var y = whorl_log1p(a + z / (1.0f + sqrt(z + 1.0f)));
    if (a > 4096.0f) {
        y = whorl_log(a) + 0.693147181f;
    }
    return bitcast<f32>(bitcast<u32>(y) | (bitcast<u32>(x) & 0x80000000u));
}

fn whorl_acosh(x: f32) -> f32 {
    let t = x - 1.0f;
    var y = whorl_log1p(t + sqrt(t * (t + 2.0f)));
    if (x > 4096.0f) {
        y = whorl_log(x) + 0.693147181f;
    }
    let wrong = (x < 1.0f) || ((bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);
    return bitcast<f32>(bitcast<u32>(y) | select(0u, 0x7fc00000u, wrong));
}

fn whorl_atanh(x: f32) -> f32 {
    let a = abs(x);
    let t = a + a;
    var y = 0.5f * whorl_log1p(t / (1.0f - a));
    y = bitcast<f32>(select(bitcast<u32>(y), 0x7f800000u, a == 1.0f));
    y = bitcast<f32>(bitcast<u32>(y) | (bitcast<u32>(x) & 0x80000000u));
    let wrong = (a > 1.0f) || ((bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);
    return bitcast<f32>(bitcast<u32>(y) | select(0u, 0x7fc00000u, wrong));
}

// |x|^y for positive finite x: log2 and the product with y in two floats, each exact product of at most 12 by 12 bits.
// x = 2^e c (1 + z) with c one of 4/5, 1 and 32/25, chosen so that |z| <= 0.13 and z is exact in two floats.
fn whorl_pow_core(x: f32, y: f32) -> f32 {
    var bits = bitcast<u32>(x);
    var e = 0.0f;
    if (bits < 0x00800000u) {
        bits = bitcast<u32>(f32(bits));
        e = -149.0f;
    }
    let moved = bits - 0x3f3504f3u;
    e += f32(bitcast<i32>(moved) >> 23u);
    let m_bits = (moved & 0x7fffffu) + 0x3f3504f3u;
    let m = bitcast<f32>(m_bits);
    // 1/c in few bits, log2(c) as a high part of few bits and the rest
    let above = m > 1.125f;
    let below = m < 0.875f;
    let inverse = select(select(1.0f, 1.25f, below), 0.78125f, above);
    let c_high = select(select(0.0f, -0.322021484375f, below), 0.35595703125f, above);
    let c_low = select(select(0.0f, 9.33894876e-5f, below), 0.000186778975f, above);
    let m_high = bitcast<f32>(m_bits & 0xfffff000u);
    let za = m_high * inverse - 1.0f;
    let zb = (m - m_high) * inverse;
    let z = za + zb;
    // log(1 + z) = t_high + t_low
    let z_high = bitcast<f32>(bitcast<u32>(z) & 0xfffff000u);
    let z_low = (za - z_high) + zb;
    let square = 0.5f * (z_high * z_high);
    let t_high = bitcast<f32>(bitcast<u32>(z_high - square) & 0xfffff000u);
    let p7 = 0.199996307f + z * (-0.166619897f + z * (0.143234566f + z * (-0.128845707f + z * 0.100876816f)));
    let tail = z * z * z * (0.333333343f + z * (-0.250000179f + z * p7));
    let t_low = ((z_high - t_high) - square) + ((z_low - z_low * (z_high + 0.5f * z_low)) + tail);
    // times log2(e), plus e + log2(c)
    let whole = e + c_high;
    let product = t_high * 1.44238281f;
    let l_high = bitcast<f32>(bitcast<u32>(whole + product) & 0xfffff000u);
    let l_low = ((whole - l_high) + product) + (t_low * 1.44269504f + (t_high * 0.000312228396f + c_low));
    // times y
    let y_high = bitcast<f32>(bitcast<u32>(y) & 0xfffff000u);
    let big = clamp(l_high * y_high, -300.0f, 300.0f);
    let small = clamp(l_high * (y - y_high) + l_low * y, -20.0f, 20.0f);
    let n = clamp(round(big + small), -160.0f, 160.0f);
    let r = clamp((big - n) + small, -1.0f, 1.0f);
    let q = 0.240226924f + r * (0.0555025935f + r * (0.00961249229f + r * (0.00134238403f + r * 0.00017093269f)));
    let p = 1.0f + (r * 0.693147242f + r * r * q);
    // in two steps, so that results below the smallest normal round once and those above the largest become infinite
    let half = floor(n * 0.5f);
    return (p * bitcast<f32>((whorl_low_bits(half) + 127u) << 23u)) * bitcast<f32>((whorl_low_bits(n - half) + 127u) << 23u);
}

fn whorl_pow(x: f32, y: f32) -> f32 {
    let xb = bitcast<u32>(x) & 0x7fffffffu;
    let yb = bitcast<u32>(y) & 0x7fffffffu;
    let x_negative = bitcast<u32>(x) > 0x7fffffffu;
    let y_negative = bitcast<u32>(y) > 0x7fffffffu;
    if (yb == 0u || bitcast<u32>(x) == 0x3f800000u) {
        return 1.0f;
    }
    if (xb > 0x7f800000u || yb > 0x7f800000u) {
        return bitcast<f32>(xb | yb | 0x7fc00000u);
    }
    // y odd: an integer whose last bit is set; floats from 2^24 on are even
    let whole = (yb >= 0x4b800000u) || (trunc(y) == y);
    let odd = whole && (yb < 0x4b800000u) && ((u32(abs(y)) & 1u) != 0u);
    let sign = select(0u, 0x80000000u, x_negative && odd);
    if (yb == 0x7f800000u) {
        let grows = (xb > 0x3f800000u) != y_negative;
        return bitcast<f32>(select(select(0u, 0x7f800000u, grows), 0x3f800000u, xb == 0x3f800000u));
    }
    if (xb == 0u || xb == 0x7f800000u) {
        return bitcast<f32>(sign | select(0u, 0x7f800000u, (xb == 0u) == y_negative));
    }
    if (x_negative && !whole) {
        return bitcast<f32>(xb | 0x7fc00000u);
    }
    return bitcast<f32>(bitcast<u32>(whorl_pow_core(bitcast<f32>(xb), y)) | sign);
}

// A cube root from the exponent's bits divided by three, then twice Halley's step.
fn whorl_cbrt(x: f32) -> f32 {
    var bits = bitcast<u32>(x) & 0x7fffffffu;
    var factor = 1.0f;
    if (bits - 0x00800000u >= 0x7f000000u) {
        if (bits - 1u >= 0x007fffffu) {
            return x;
        }
        bits = bitcast<u32>(f32(bits) * 2.0f); // x 2^150
        factor = 8.8817842e-16f;
    }
    // large and small ones by 2^-12 and 2^24, so that their cubes stay in range
    let large = bits >= 0x7c000000u;
    let small = bits < 0x0c000000u;
    bits = select(select(bits, bits + 0x0c000000u, small), bits - 0x06000000u, large);
    factor *= select(select(1.0f, 0.00390625f, small), 16.0f, large);
    let a = bitcast<f32>(bits);
    var t = bitcast<f32>(bits / 3u + 0x2a5137a0u);
    for (var i = 0; i < 2; i += 1) {
        let r = t * t * t;
        t = t + t * ((a - r) / (a + (r + r)));
    }
    t = t * factor;
    return bitcast<f32>(bitcast<u32>(t) | (bitcast<u32>(x) & 0x80000000u));
}

// sqrt(x^2 + y^2) after scaling by a power of two that makes the larger one about 1.
fn whorl_hypot(x: f32, y: f32) -> f32 {
    let xb = bitcast<u32>(x) & 0x7fffffffu;
    let yb = bitcast<u32>(y) & 0x7fffffffu;
    let top = max(xb, yb);
    if (top >= 0x7f800000u) {
        return bitcast<f32>(select(top, 0x7f800000u, (xb == 0x7f800000u) || (yb == 0x7f800000u)));
    }
    let exponent = clamp(top & 0x7f800000u, 0x01000000u, 0x7e000000u);
    let down = bitcast<f32>(0x7f000000u - exponent);
    let a = bitcast<f32>(xb) * down;
    let b = bitcast<f32>(yb) * down;
    return sqrt(a * a + b * b) * bitcast<f32>(exponent);
}

// x (1 + P(x^2)), up to 0.92. The product of a tiny x with P may count as zero by itself.
fn whorl_erf_near(x: f32) -> f32 {
    let z = x * x;
    let p = 0.128379167f + z * (-0.376131117f + z * (0.112900443f + z * (-0.0271702521f + z * (0.0058925515f
        + z * (-0.00152581884f + z * 0.000358960824f)))));
    return select(x + x * p, x * 1.12837917f, abs(x) < 1e-20f);
}

// From there 1 - exp(-x P(x)), where the exponential is at most 0.2.
fn whorl_erf(x: f32) -> f32 {
    let a = abs(x);
    let c = min(a, 4.0f);
    let g = 1.12863708f + c * (0.635198057f + c * (0.106158964f + c * (-0.0236944426f + c * (0.0036102552f
        + c * (-0.000314828649f + c * 1.04292485e-5f)))));
    let far = bitcast<f32>(bitcast<u32>(1.0f - whorl_exp(-c * g)) | (bitcast<u32>(x) & 0x80000000u));
    let y = select(far, whorl_erf_near(x), a < 0.92f);
    return select(y, x, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);
}

// exp(-x^2) R(x), x^2 in two floats; R(x) (1 + 2x) is a polynomial in (x - 4)/(x + 4).
fn whorl_erfc(x: f32) -> f32 {
    let a = min(abs(x), 11.0f);
    let t = (a - 4.0f) / (a + 4.0f);
    let u = 0.0938135833f + t * (-0.0668820441f + t * (0.0362330414f + t * (-0.0154381515f + t * (0.00774206501f + t * 0.00116643053f))));
    let r = 1.23299515f + t * (-0.139621168f + t * (0.015375372f + t * (0.068096675f + t * (-0.100952536f + t * u))));
    let high = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
    let e = whorl_exp2sum(-high * high, (high - a) * (high + a));
    let y = e * (r / (1.0f + 2.0f * a));
    let z = select(select(y, 2.0f - y, x < 0.0f), 1.0f - whorl_erf_near(x), a < 0.5f);
    return select(z, x, (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u);
}
