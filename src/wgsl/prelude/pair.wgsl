// What the arithmetic of pairs of floats is made of (docs/double.md). `zero` is 0, from the uniform block: a compiler that knew what is
// exclusive-ored could contract a product, or cancel (a + b) - a.
fn whorl_hold(x: f32, zero: u32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ zero);
}

// A zero, infinite or NaN.
fn whorl_is_plain(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) - 1u >= 0x7f7fffffu;
}

// a + b - sum, exactly, where sum = a + b rounded: Knuth's, for any order of a and b.
fn whorl_sum_error(a: f32, b: f32, sum: f32, zero: u32) -> f32 {
    let of_b = whorl_hold(sum - a, zero);
    let of_a = whorl_hold(sum - of_b, zero);
    return whorl_hold(a - of_a, zero) + whorl_hold(b - of_b, zero);
}

// a * b - product, exactly, where product = a * b rounded: Dekker's, of halves of 12 bits. Their products are exact, so that it does not
// matter whether they are contracted.
fn whorl_product_error(a: f32, b: f32, product: f32, zero: u32) -> f32 {
    let ah = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
    let bh = bitcast<f32>(bitcast<u32>(b) & 0xfffff000u);
    let al = whorl_hold(a - ah, zero);
    let bl = whorl_hold(b - bh, zero);
    let first = whorl_hold(ah * bh - product, zero);
    let second = whorl_hold(first + ah * bl, zero);
    let third = whorl_hold(second + al * bh, zero);
    return third + al * bl;
}

// over / by as C rounds it, for a `by` from 2^-30 to 2^30: WGSL's own may be a few units in the last place beside. What is left over is exact, so
// that the quotient is mended by it, but of numbers so small or large that parts of them would not be floats. What is added is itself a quotient:
// where the device's are 2 units beside, of 2^23 dividends up to 10, all next to the middle of two floats, end on the wrong one.
fn whorl_divide(over: f32, by: f32, zero: u32) -> f32 {
    let x = whorl_hold(over, zero);
    let near = whorl_hold(x / by, zero); // a product for some drivers, which they would contract with what follows
    let product = whorl_hold(near * by, zero);
    let left = whorl_hold(x - product, zero) - whorl_product_error(near, by, product, zero);
    return select(near, near + left / by, (bitcast<u32>(x) & 0x7fffffffu) - 0x2b800000u < 0x34800000u);
}
