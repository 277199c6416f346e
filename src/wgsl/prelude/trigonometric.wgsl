// Sine, cosine, tangent and their inverses.
//
// An angle up to 12,800 is brought to [-pi/2, pi/2], or for a pair to [-pi/4, pi/4], by subtracting n times pi (pi/2) in four pieces of
// which the first three have 8, 11 and 11 bits: with 2n < 2^13 those products are exact, contracted to fma or not (after W. J. Cody and
// W. Waite, "Software Manual for the Elementary Functions", 1980). The integer n is cut out of the bits of x/pi + 12288.5, whose last 10
// bits are the fraction: no instruction for rounding, which is several times slower on GPUs, and nothing that a compiler could take for
// a difference of two sums. Larger angles are multiplied by the bits of 2/pi that matter, in integers (after M. Payne and R. Hanek,
// SIGNUM Newsletter 18, 1983). The polynomials are minimax fits of our own.
//
// `_near` functions are for angles within +-12,800 only. Their last component says whether this was one: below whorl_rare if so.

const whorl_rare = 0x00800000u;

// Bit i of the shift chain moves the words of 2/pi, of which the first is zero, by 2^i words; the angle's exponent says how far.
fn whorl_two_over_pi(words: u32) -> vec4<u32> {
    let one = (words & 1u) != 0u;
    let two = (words & 2u) != 0u;
    let a = select(0u, 0xa2f9836eu, one);
    let b = select(0xa2f9836eu, 0x4e441529u, one);
    let c = select(0x4e441529u, 0xfc2757d1u, one);
    let d = select(0xfc2757d1u, 0xf534ddc0u, one);
    let e = select(0xf534ddc0u, 0xdb629599u, one);
    let f = select(0xdb629599u, 0x3c439041u, one);
    let w = select(vec4<u32>(a, b, c, d), vec4<u32>(c, d, e, f), two);
    return select(w, vec4<u32>(0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu), words >= 4u);
}

// The fraction m 2^e (2/pi) mod 4 in 64 bits: only bits of 2/pi whose weight is under 4 count. (r, n, low): x = r + n pi/2, where low is
// what r has lost without its last four bits. Infinity and NaN give NaN. For |x| >= 128.
fn whorl_reduce_large(x: f32) -> vec3<f32> {
    let bits = bitcast<u32>(x);
    let m = (bits & 0x7fffffu) | 0x800000u;
    let start = ((bits >> 23u) & 0xffu) - 120u;
    let shift = start & 31u;
    let words = whorl_two_over_pi(start >> 5u);
    let window = (words.xyz << vec3<u32>(shift)) | ((words.yzw >> vec3<u32>(1u)) >> vec3<u32>(31u - shift));
    let part = m * window.y;
    let mid = part + whorl_mulhi(m, window.z);
    let top = m * window.x + whorl_mulhi(m, window.y) + select(0u, 1u, mid < part);
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
    let wrong = select(0u, bits | 0x7fc00000u, (bits & 0x7f800000u) == 0x7f800000u);
    return vec3<f32>(bitcast<f32>(bitcast<u32>(r * unit) | wrong), select(f32(quadrant), -f32(quadrant), bits > 0x7fffffffu), lost * unit);
}

fn whorl_quarter_sin(r: f32) -> f32 {
    let z = r * r;
    return r * (1.0f + z * (-0.16666655f + z * (0.008332187f + z * -0.00019517897f)));
}

fn whorl_quarter_cos(r: f32) -> f32 {
    let z = r * r;
    return 1.0f + z * (-0.5f + z * (0.041666646f + z * (-0.001388731f + z * 2.443233e-05f)));
}

// Sine and cosine of r + n pi/2, where q has n's last two bits.
fn whorl_turned(r: f32, q: u32) -> vec2<f32> {
    let s = whorl_quarter_sin(r);
    let c = whorl_quarter_cos(r);
    let turned = (q & 1u) != 0u;
    let sine = bitcast<u32>(select(s, c, turned)) ^ ((q << 30u) & 0x80000000u);
    let cosine = bitcast<u32>(select(c, s, turned)) ^ (((q + 1u) << 30u) & 0x80000000u);
    return vec2<f32>(bitcast<f32>(sine), bitcast<f32>(cosine));
}

fn whorl_sincos_large(x: f32) -> vec2<f32> {
    let reduced = whorl_reduce_large(x);
    return whorl_turned(reduced.x, bitcast<u32>(reduced.y + 12582912.0f));
}

// x - n pi, where 12288 + n has these bits, through the sine of it, never above 1. `sign` has the result's sign in its first bit once
// that of the remainder is added: so zero keeps its own.
fn whorl_half_turn(x: f32, bits: u32, sign: u32) -> f32 {
    let n = bitcast<f32>(bits) - 12288.0f;
    let r = (((x - n * 3.140625f) - n * 0.000967502594f) - n * 1.50990672e-7f) - n * 5.12668814e-12f;
    let z = r * r;
    let size = abs(r) * (1.0f + z * (-0.1666666f + z * (0.008333068f + z * (-0.00019809665f + z * 2.605777e-06f))));
    return bitcast<f32>(bitcast<u32>(min(size, 1.0f)) | ((sign ^ bitcast<u32>(r)) & 0x80000000u));
}

// n is the integer next to x/pi for the sine, the integer and a half for the cosine.
fn whorl_sin_near(x: f32) -> vec2<u32> {
    let t = bitcast<u32>(x * 0.318309886f + 12288.5f);
    let n = t & 0xfffffc00u;
    return vec2<u32>(bitcast<u32>(whorl_half_turn(x, n, n << 21u)), t ^ 0x46000000u);
}

fn whorl_cos_near(x: f32) -> vec2<u32> {
    let t = bitcast<u32>(x * 0.318309886f + 12288.0f);
    let n = (t & 0xfffffc00u) | 0x200u;
    return vec2<u32>(bitcast<u32>(whorl_half_turn(x, n, (n << 21u) ^ 0x80000000u)), t ^ 0x46000000u);
}

// Both, by quarter turns.
fn whorl_sincos_near(x: f32) -> vec3<u32> {
    let t = bitcast<u32>(x * 0.636619772f + 24576.5f);
    let n = bitcast<f32>(t & 0xfffffe00u) - 24576.0f;
    let r = (((x - n * 1.5703125f) - n * 0.000483751297f) - n * 7.54953362e-8f) - n * 2.56334407e-12f;
    return vec3<u32>(bitcast<vec2<u32>>(whorl_turned(r, t >> 9u)), t ^ 0x46800000u);
}

fn whorl_sin(x: f32) -> f32 {
    let near = whorl_sin_near(x);
    var y = bitcast<f32>(near.x);
    if (near.y >= whorl_rare) {
        y = whorl_sincos_large(x).x;
    }
    return y;
}

fn whorl_cos(x: f32) -> f32 {
    let near = whorl_cos_near(x);
    var y = bitcast<f32>(near.x);
    if (near.y >= whorl_rare) {
        y = whorl_sincos_large(x).y;
    }
    return y;
}

// The emitter uses it where a program takes sine and cosine of one variable.
fn whorl_sincos(x: f32) -> vec2<f32> {
    let near = whorl_sincos_near(x);
    var y = bitcast<vec2<f32>>(near.xy);
    if (near.z >= whorl_rare) {
        y = whorl_sincos_large(x);
    }
    return y;
}

// Sine over cosine of r + low, where r is the reduced angle with its last bits cut and low what is left: the quotient cannot afford
// the rounding of the angle. Below 0.004 the differences here would not be exact.
fn whorl_tan(x: f32) -> f32 {
    let t = bitcast<u32>(x * 0.636619772f + 24576.5f);
    let n = bitcast<f32>(t & 0xfffffe00u) - 24576.0f;
    let near = (x - n * 1.5703125f) - n * 0.000483751297f; // exact
    let full = (near - n * 7.54953362e-8f) - n * 2.56334407e-12f;
    var r = bitcast<f32>(bitcast<u32>(full) & 0xfffffff0u);
    var low = select(((near - r) - n * 7.54953362e-8f) - n * 2.56334407e-12f, full - r, abs(r) < 0.004f);
    var q = t >> 9u;
    if ((t ^ 0x46800000u) >= whorl_rare) {
        let reduced = whorl_reduce_large(x);
        r = bitcast<f32>(bitcast<u32>(reduced.x) & 0xfffffff0u);
        low = reduced.z;
        q = bitcast<u32>(reduced.y + 12582912.0f);
    }
    let z = r * r;
    let s = r + (r * z * (-0.166666552f + z * (0.00833219104f + z * -0.000195186047f)) + low * (1.0f - 0.5f * z));
    let c = 1.0f + (z * (-0.5f + z * (0.0416666456f + z * (-0.00138873095f + z * 2.44323273e-5f))) - low * r);
    let turned = (q & 1u) != 0u;
    let y = select(s, -c, turned) / select(c, s, turned);
    return select(y, x, (bitcast<u32>(x) & 0x7fffffffu) < 0x38000000u);
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
