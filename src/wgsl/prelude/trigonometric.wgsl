// Sine, cosine, tangent and their inverses.
//
// An angle is brought to [-pi/4, pi/4] by subtracting a multiple n of pi/2, in five pieces of which all but the last have 8 bits or
// less: with |n| < 2^16 those products are exact, contracted or not. Larger angles are multiplied by the bits of 2/pi that matter, in
// integers (after Payne and Hanek). The polynomials are minimax fits of our own.

// Word i of 2/pi in binary, with a word of zeros in front.
fn whorl_two_over_pi(i: u32) -> u32 {
    var w = select(0u, 0xa2f9836eu, i == 1u);
    w = select(w, 0x4e441529u, i == 2u);
    w = select(w, 0xfc2757d1u, i == 3u);
    w = select(w, 0xf534ddc0u, i == 4u);
    w = select(w, 0xdb629599u, i == 5u);
    w = select(w, 0x3c439041u, i == 6u);
    return select(w, 0xfe5163abu, i == 7u);
}

// The fraction m 2^e (2/pi) mod 4 in 96 bits, digit by digit of 8 bits: only digits whose weight is under 4 count.
fn whorl_reduce_large(x: f32) -> vec3<f32> {
    let bits = bitcast<u32>(x);
    let m = (bits & 0x7fffffu) | 0x800000u;
    let start = ((bits >> 23u) & 0xffu) - 120u;
    var top = 0u;
    var mid = 0u;
    var low = 0u;
    for (var i = 0u; i < 12u; i += 1u) {
        let at = (start >> 3u) + i;
        let digit = (whorl_two_over_pi(at >> 2u) >> (24u - 8u * (at & 3u))) & 0xffu;
        top = (top << 8u) | (mid >> 24u);
        mid = (mid << 8u) | (low >> 24u);
        low = low << 8u;
        let part = m * digit;
        low += part;
        let carry = select(0u, 1u, low < part);
        mid += carry;
        top += carry & select(0u, 1u, mid == 0u);
    }
    let rest = start & 7u;
    top = (top << rest) | ((mid >> 1u) >> (31u - rest));
    mid = (mid << rest) | ((low >> 1u) >> (31u - rest));
    // the nearest multiple of pi/2, and the signed fraction that is left, from its first set bit on
    let quadrant = (top + 0x20000000u) >> 30u;
    var high = (top << 2u) | (mid >> 30u);
    var under = mid << 2u;
    let sign = high & 0x80000000u;
    if (sign != 0u) {
        under = 0u - under;
        high = ~high + select(0u, 1u, under == 0u);
    }
    let zeros = min(countLeadingZeros(high), 31u);
    let digits = (high << zeros) | ((under >> 1u) >> (31u - zeros));
    // times pi/2, rounded once: 12 bits by 8 are exact, the rest is small
    let unit = bitcast<f32>(((115u - zeros) << 23u) | ((sign ^ bits) & 0x80000000u));
    let exact = f32(digits >> 20u) * 1.5703125f;
    let small = f32(digits & 0xfffffu) * 1.49802811e-6f + f32(digits >> 20u) * 0.000483826795f;
    let r = exact + small;
    let lost = (exact - bitcast<f32>(bitcast<u32>(r) & 0xfffffff0u)) + small;
    return vec3<f32>(r * unit, select(f32(quadrant), -f32(quadrant), bits > 0x7fffffffu), lost * unit);
}

// (r, n, low): x = r + n pi/2. Infinity and NaN give NaN. After large angles, low is what r has lost without its last four bits.
fn whorl_reduce(x: f32) -> vec3<f32> {
    let n = round(x * 0.636619747f);
    let near = ((x - n * 1.5703125f) - n * 0.000482559204f) - n * 1.2665987e-6f;
    let r = (near - n * 9.89530236e-10f) - n * 2.56334415e-12f;
    var reduced = vec3<f32>(r, n, 0.0f);
    if ((bitcast<u32>(x) & 0x7fffffffu) > 0x47c35000u) {
        reduced = whorl_reduce_large(x);
        let bits = bitcast<u32>(x);
        reduced.x = bitcast<f32>(select(bitcast<u32>(reduced.x), bits | 0x7fc00000u, (bits & 0x7f800000u) == 0x7f800000u));
    }
    return reduced;
}

fn whorl_sin_near(r: f32) -> f32 {
    let z = r * r;
    return r + r * z * (-0.166666552f + z * (0.00833219104f + z * -0.000195186047f));
}

fn whorl_cos_near(r: f32) -> f32 {
    let z = r * r;
    return 1.0f + z * (-0.5f + z * (0.0416666456f + z * (-0.00138873095f + z * 2.44323273e-5f)));
}

// The sign is x's own, so that zero keeps it.
fn whorl_sin(x: f32) -> f32 {
    let reduced = whorl_reduce(abs(x));
    let q = bitcast<u32>(reduced.y + 12582912.0f);
    let y = select(whorl_sin_near(reduced.x), whorl_cos_near(reduced.x), (q & 1u) != 0u);
    return bitcast<f32>(bitcast<u32>(y) ^ (((q << 30u) ^ bitcast<u32>(x)) & 0x80000000u));
}

fn whorl_cos(x: f32) -> f32 {
    let reduced = whorl_reduce(x);
    let q = bitcast<u32>(reduced.y + 12582912.0f);
    let y = select(whorl_cos_near(reduced.x), whorl_sin_near(reduced.x), (q & 1u) != 0u);
    return bitcast<f32>(bitcast<u32>(y) ^ (((q + 1u) & 2u) << 30u));
}

// Both, for the price of one: the emitter uses it where a program takes sine and cosine of one variable.
fn whorl_sincos(x: f32) -> vec2<f32> {
    let reduced = whorl_reduce(abs(x));
    let q = bitcast<u32>(reduced.y + 12582912.0f);
    let s = whorl_sin_near(reduced.x);
    let c = whorl_cos_near(reduced.x);
    let turned = (q & 1u) != 0u;
    let sine = bitcast<u32>(select(s, c, turned)) ^ (((q << 30u) ^ bitcast<u32>(x)) & 0x80000000u);
    let cosine = bitcast<u32>(select(c, s, turned)) ^ (((q + 1u) & 2u) << 30u);
    return vec2<f32>(bitcast<f32>(sine), bitcast<f32>(cosine));
}

// Sine over cosine of r + low, where r is the reduced angle with its last bits cut and low what is left: the quotient cannot afford
// the rounding of the angle. Below 0.004 the differences here would not be exact.
fn whorl_tan(x: f32) -> f32 {
    let reduced = whorl_reduce(x);
    let n = reduced.y;
    let q = bitcast<u32>(n + 12582912.0f);
    let size = bitcast<u32>(x) & 0x7fffffffu;
    let r = bitcast<f32>(bitcast<u32>(reduced.x) & 0xfffffff0u);
    let near = (x - n * 1.5703125f) - n * 0.000482559204f; // exact
    let close = select((((near - r) - n * 1.2665987e-6f) - n * 9.89530236e-10f) - n * 2.56334415e-12f, reduced.x - r, abs(r) < 0.004f);
    let low = select(close, reduced.z, size > 0x47c35000u);
    let z = r * r;
    let s = r + (r * z * (-0.166666552f + z * (0.00833219104f + z * -0.000195186047f)) + low * (1.0f - 0.5f * z));
    let c = 1.0f + (z * (-0.5f + z * (0.0416666456f + z * (-0.00138873095f + z * 2.44323273e-5f))) - low * r);
    let turned = (q & 1u) != 0u;
    let y = select(s, -c, turned) / select(c, s, turned);
    return select(y, x, size < 0x38000000u);
}

// atan of t in [0, 1].
fn whorl_atan_near(t: f32) -> f32 {
    let z = t * t;
    let p = 0.106655352f + z * (-0.0755103976f + z * (0.0431960747f + z * (-0.0163570959f + z * 0.00291771395f)));
    return t + t * z * (-0.333331525f + z * (0.199937642f + z * (-0.142109588f + z * p)));
}

fn whorl_atan(x: f32) -> f32 {
    let a = abs(x);
    let y = whorl_atan_near(select(a, 1.0f / a, a > 1.0f));
    let whole = select(y, (1.57079637f - y) - 4.37113883e-8f, a > 1.0f);
    let bits = bitcast<u32>(whole) | (bitcast<u32>(x) & 0x80000000u);
    let size = bitcast<u32>(x) & 0x7fffffffu;
    return bitcast<f32>(select(select(bits, (bits & 0x80000000u) | 0x3fc90fdbu, size > 0x4f000000u), bitcast<u32>(x), size > 0x7f800000u));
}

// The smaller over the larger, then the octant.
fn whorl_atan2(y: f32, x: f32) -> f32 {
    let xb = bitcast<u32>(x) & 0x7fffffffu;
    let yb = bitcast<u32>(y) & 0x7fffffffu;
    let x_negative = bitcast<u32>(x) > 0x7fffffffu;
    let steep = yb > xb;
    // scaled so that the division neither overflows nor loses digits
    let top = max(xb, yb);
    let exponent = clamp(top & 0x7f800000u, 0x01000000u, 0x7e000000u);
    let scale = bitcast<f32>(0x7f000000u - exponent);
    let small = bitcast<f32>(min(xb, yb)) * scale;
    let large = bitcast<f32>(top) * scale;
    var t = small / large;
    if (top - 0x00800000u >= 0x7f000000u) {
        // subnormals by their integer values; of infinities only two make an angle
        t = select(f32(min(xb, yb)) / f32(max(top, 1u)), select(0.0f, 1.0f, xb == yb), top >= 0x7f800000u);
    }
    var a = whorl_atan_near(t);
    a = select(a, (1.57079637f - a) - 4.37113883e-8f, steep);
    a = select(a, (3.14159274f - a) - 8.74227766e-8f, x_negative);
    let bits = bitcast<u32>(a) | (bitcast<u32>(y) & 0x80000000u);
    return bitcast<f32>(select(bits, 0x7fc00000u | top, top > 0x7f800000u));
}

// asin(t) - t for t in [0, 1/2], z = t t.
fn whorl_asin_tail(t: f32, z: f32) -> f32 {
    return t * z * (0.166667536f + z * (0.0749524757f + z * (0.0454772599f + z * (0.0241435375f + z * 0.0422296561f))));
}

// Above 1/2 by the half angle: asin(a) = pi/2 - 2 asin(sqrt((1 - a)/2)).
fn whorl_asin(x: f32) -> f32 {
    let a = abs(x);
    let far = a > 0.5f;
    let z = select(a * a, 0.5f - 0.5f * a, far);
    let t = select(a, sqrt(max(z, 0.0f)), far);
    let tail = whorl_asin_tail(t, z);
    let y = select(t + tail, (1.57079637f - 2.0f * t) - (2.0f * tail + 4.37113883e-8f), far);
    let bits = bitcast<u32>(y) | (bitcast<u32>(x) & 0x80000000u);
    return bitcast<f32>(select(bits, 0x7fc00000u | bits, (bitcast<u32>(x) & 0x7fffffffu) > 0x3f800000u));
}

fn whorl_acos(x: f32) -> f32 {
    let a = abs(x);
    let far = a > 0.5f;
    let z = select(a * a, 0.5f - 0.5f * a, far);
    let t = select(a, sqrt(max(z, 0.0f)), far);
    let tail = whorl_asin_tail(t, z);
    let negative = bitcast<u32>(x) > 0x7fffffffu;
    let signed_t = select(t, -t, negative);
    let signed_tail = select(tail, -tail, negative);
    let near_y = (1.57079637f - signed_t) - (signed_tail + 4.37113883e-8f);
    let far_y = select(2.0f * (t + tail), (3.14159274f - 2.0f * t) - (2.0f * tail + 8.74227766e-8f), negative);
    let y = select(near_y, far_y, far);
    let bits = bitcast<u32>(y);
    return bitcast<f32>(select(bits, 0x7fc00000u | bits, (bitcast<u32>(x) & 0x7fffffffu) > 0x3f800000u));
}
