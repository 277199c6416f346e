"""The first word of a block of Philox 4x32-10 (programs/lib/philox.h) in plain Python: where a program draws one number before its loop."""
WORD = 0xFFFFFFFF


def first_word(seed, counter=(0, 0, 0, 0)):
    x, y, z, w = counter
    k0, k1 = seed, 0
    for _ in range(10):
        p, q = 0xCD9E8D57 * z, 0xD2511F53 * x
        x, y, z, w = (p >> 32) ^ y ^ k0, p & WORD, (q >> 32) ^ w ^ k1, q & WORD
        k0, k1 = (k0 + 0x9E3779B9) & WORD, (k1 + 0xBB67AE85) & WORD
    return x


def uniform01(word):
    return (word >> 8) * 2.0**-24


def car_start(seed):
    """Where programs/lib/mountaincar.h puts the car."""
    return -0.6 + 0.2 * uniform01(first_word(seed))
