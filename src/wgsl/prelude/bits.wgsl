// Functions of C that WGSL has otherwise or not at all, by bits. NaN and infinity are tested by their bits: drivers may compile a
// comparison as if neither existed.

// A line that starts with `//!` is a statement for devices that are good for it; src/run/device/enable_text.c says how they are told.

// The high half of a 32 x 32 bit product, from 16-bit pieces.
fn whorl_mulhi(a: u32, b: u32) -> u32 {
    //! int64: if (true) { return u32((u64(a) * u64(b)) >> 32u); }
    let al = a & 0xffffu;
    let ah = a >> 16u;
    let bl = b & 0xffffu;
    let bh = b >> 16u;
    let low = al * bl;
    let mid = ah * bl + (low >> 16u);
    let mid2 = al * bh + (mid & 0xffffu);
    return ah * bh + (mid >> 16u) + (mid2 >> 16u);
}

fn whorl_isnan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn whorl_isinf(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
}

fn whorl_isfinite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u;
}

fn whorl_signbit(x: f32) -> bool {
    return (bitcast<u32>(x) >> 31u) != 0u;
}

// The nearest end of the range where x does not fit, 0 for NaN. WGSL's own ends are the last floats within the range, and it says nothing
// of NaN.
fn whorl_f2i(x: f32) -> i32 {
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let end = bitcast<i32>(0x7fffffffu + (bits >> 31u));
    return select(select(end, 0, size > 0x7f800000u), i32(x), size < 0x4f000000u);
}

// As numbers, the bits of all that is negative are above those of all that is not.
fn whorl_f2u(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return select(select(0xffffffffu, 0u, bits > 0x7f800000u), u32(x), bits < 0x4f800000u);
}

fn whorl_copysign(x: f32, y: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(y) & 0x80000000u));
}

// A NaN operand loses. `a < b` is false where a is NaN, so only b needs a test.
fn whorl_fmin(a: f32, b: f32) -> f32 {
    let least = select(b, a, a < b);
    return select(least, a, (bitcast<u32>(b) & 0x7fffffffu) > 0x7f800000u);
}

fn whorl_fmax(a: f32, b: f32) -> f32 {
    let most = select(b, a, a > b);
    return select(most, a, (bitcast<u32>(b) & 0x7fffffffu) > 0x7f800000u);
}

// Half away from zero. x - trunc(x) is exact.
fn whorl_round(x: f32) -> f32 {
    let whole = trunc(x);
    let up = bitcast<f32>((bitcast<u32>(x) & 0x80000000u) | 0x3f800000u);
    let rounded = select(whole, whole + up, abs(x - whole) >= 0.5f);
    let kept = abs(x) < 8388608.0f;
    return whorl_copysign(select(x, rounded, kept), x);
}

// Rounds to the nearest half, ties to even; too large is infinity.
fn whorl_f16_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let sign = (bits >> 16u) & 0x8000u;
    // normal halves: drop 13 bits of the fraction, move the exponent's bias from 127 to 15
    let normal = (size + 0xfffu + ((size >> 13u) & 1u) - 0x38000000u) >> 13u;
    // subnormal halves: multiples of 2^-24
    let shift = min(126u - (size >> 23u), 31u);
    let fraction = (size & 0x7fffffu) | 0x800000u;
    let kept = fraction >> shift;
    let rest = fraction - (kept << shift);
    let half = (1u << shift) >> 1u;
    let small = kept + select(0u, 1u, (rest > half) || ((rest == half) && ((kept & 1u) != 0u)));
    var half_bits = select(normal, select(0u, small, size >= 0x33000000u), size < 0x38800000u);
    half_bits = select(half_bits, 0x7c00u, size >= 0x477ff000u);
    half_bits = select(half_bits, 0x7e00u, size > 0x7f800000u);
    return sign | half_bits;
}

fn whorl_round_f16(x: f32) -> f32 {
    let half = whorl_f16_bits(x);
    let sign = (half & 0x8000u) << 16u;
    let size = half & 0x7fffu;
    let normal = bitcast<f32>(sign | ((size << 13u) + 0x38000000u));
    let small = bitcast<f32>(bitcast<u32>(f32(size) * 5.9604645e-8f) | sign);
    let special = bitcast<f32>(sign | 0x7f800000u | ((size & 0x3ffu) << 13u));
    return select(select(normal, small, size < 0x400u), special, size >= 0x7c00u);
}

// x * 2^n in two exact factors where the result is normal; three cover the whole range of n.
fn whorl_ldexp(x: f32, n: i32) -> f32 {
    var left = clamp(n, -300, 300);
    var y = x;
    for (var i = 0; i < 3; i += 1) {
        let step = clamp(left, -126, 127);
        y = y * bitcast<f32>(u32(step + 127) << 23u);
        left -= step;
    }
    return y;
}

// The remainder of |x| / |y|, exact: shifts and subtractions of the significands, as by hand, 8 bits at a time.
fn whorl_fmod(x: f32, y: f32) -> f32 {
    let xb = bitcast<u32>(x) & 0x7fffffffu;
    let yb = bitcast<u32>(y) & 0x7fffffffu;
    let sign = bitcast<u32>(x) & 0x80000000u;
    if (xb >= 0x7f800000u || yb > 0x7f800000u || yb == 0u) {
        return bitcast<f32>(0x7fc00000u | sign);
    }
    if (xb < yb) {
        return x;
    }
    let ey = max(yb >> 23u, 1u);
    var my = (yb & 0x7fffffu) | select(0u, 0x800000u, (yb >> 23u) != 0u);
    let ex = max(xb >> 23u, 1u);
    var mx = (xb & 0x7fffffu) | select(0u, 0x800000u, (xb >> 23u) != 0u);
    var left = ex - ey;
    mx = mx % my;
    while (left > 0u) {
        let step = min(left, 8u);
        mx = (mx << step) % my;
        left -= step;
    }
    if (mx == 0u) {
        return bitcast<f32>(sign);
    }
    // back to a float with y's exponent, normalised
    let up = min(countLeadingZeros(mx) - 8u, ey - 1u);
    mx = mx << up;
    let exponent = select(0u, ey - up, mx >= 0x800000u);
    return bitcast<f32>(sign | (exponent << 23u) | (mx & 0x7fffffu));
}

// C's remainder: the sign of the dividend. Division is defined everywhere, `%` of negative operands is not.
fn whorl_irem(a: i32, b: i32) -> i32 {
    return a - a / b * b;
}
