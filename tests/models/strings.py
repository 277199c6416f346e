"""Texts for tests of tokenizers, the same for a seed everywhere: many scripts, emoji, spaces, controls, long runs, numbers,
code, marks in any order, and the tokenizer's own added tokens glued to all of these.

Characters that Unicode got after version 3.2 are only drawn from NEWER: libraries with tables of different years (PCRE2, utf8proc,
Oniguruma, Rust's normaliser) rightly disagree on whether a younger character is a letter or a mark."""
import random
import unicodedata

OLD = unicodedata.ucd_3_2_0
NEWER = [(0x10000, 0x1000B), (0x12000, 0x12399), (0x1F300, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F900, 0x1F9FF), (0xE000, 0xF8FF)]

SCRIPTS = [
    (0x20, 0x7E), (0xA1, 0xFF), (0x100, 0x17F), (0x180, 0x24F), (0x250, 0x2AF), (0x370, 0x3FF), (0x400, 0x52F),
    (0x531, 0x586), (0x5D0, 0x5EA), (0x620, 0x6FF), (0x710, 0x74A), (0x905, 0x97F), (0x985, 0x9B9), (0xA05, 0xA39),
    (0xB85, 0xBB9), (0xC05, 0xC39), (0xE01, 0xE5B), (0xE81, 0xEDF), (0xF40, 0xF6C), (0x10A0, 0x10FF), (0x1100, 0x11FF),
    (0x1200, 0x1248), (0x13A0, 0x13F5), (0x1401, 0x1676), (0x16A0, 0x16EA), (0x1780, 0x17B3), (0x1820, 0x1878),
    (0x1E00, 0x1EFF), (0x1F00, 0x1F15), (0x2000, 0x206F), (0x2070, 0x209C), (0x20A0, 0x20BF), (0x2100, 0x218B),
    (0x2190, 0x23FF), (0x2460, 0x24FF), (0x2500, 0x27BF), (0x2E80, 0x2EF3), (0x3000, 0x303F), (0x3041, 0x30FF),
    (0x3105, 0x318E), (0x4E00, 0x9FFF), (0xA000, 0xA48C), (0xAC00, 0xD7A3), (0xF900, 0xFAD9), (0xFB00, 0xFB06),
    (0xFB50, 0xFDFF), (0xFE20, 0xFE2F), (0xFE70, 0xFEFC), (0xFF01, 0xFFEE), (0x10000, 0x1000B), (0x10330, 0x1034A),
    (0x12000, 0x12399), (0x1D400, 0x1D7FF), (0x1F300, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F900, 0x1F9FF), (0x20000, 0x2A6D6),
]
MARKS = [0x300, 0x301, 0x308, 0x30A, 0x316, 0x323, 0x327, 0x331, 0x345, 0x5B0, 0x64B, 0x93C, 0x94D, 0x1AB0, 0x20D0, 0x3099, 0x309A]
SPACES = [" ", "  ", "   ", "\t", "\n", "\r\n", "\n\n", "\u00a0", "\u1680", "\u180e", "\u2003", "\u200b", "\u2028", "\u3000", "\x0b", "\x0c",
          "\x85", "\ufeff"]
CONTROLS = ["\x01", "\x07", "\x1b[0m", "\x7f", "\x00", "\u200d", "\u202e", "\u2066", "\ufffd", "\uffff", "\U000e0001", "\U0010ffff"]
EMOJI = ["👍", "👍🏽", "👩‍💻", "🏳️‍🌈", "🇩🇪", "1️⃣", "❤️", "👨‍👩‍👧‍👦", "🫠", "☕"]
WORDS = ["the", "The", "don't", "I'LL", "we've", "it'S", "ſ'ſ", "'re", "naïve", "Straße", "ﬁne", "Å", "Å", "Ω", "가각", "가", "हिन्दी", "ไทย", "العربية",
         "日本語", "ひらがな", "русский", "Ελληνικά", "עברית", "transformer", "antidisestablishmentarianism", "xkcd", "Hello", "world"]
CODE = ["def f(x):\n    return x**2\n", "#include <stdio.h>\n", "{\"a\": [1, 2.5e-3]}", "x <<= 2; // no", "<html></html>", "a\\b\\n", "$$\\frac{a}{b}$$",
        "https://example.org/?q=%20a&b=c#d", "0x1F600", "_under_score", "camelCaseWord", "--flag=value", "'''", "\"\"\"", "~~~", "::::"]


def character(rng, low, high):
    while True:
        code = rng.randint(low, high)
        if OLD.category(chr(code)) not in ("Cn", "Cs") or any(a <= code <= b for a, b in NEWER):
            return chr(code)


def piece(rng, added):
    kind = rng.randrange(14)
    if kind == 0:
        return rng.choice(WORDS)
    if kind == 1:
        low, high = rng.choice(SCRIPTS)
        return "".join(character(rng, low, high) for _ in range(rng.randint(1, 12)))
    if kind == 2:
        return rng.choice(SPACES) * rng.choice([1, 1, 1, 2, 3, 7])
    if kind == 3:
        return rng.choice(EMOJI) * rng.choice([1, 1, 2, 5])
    if kind == 4:
        return rng.choice(CONTROLS)
    if kind == 5:
        return str(rng.randrange(10 ** rng.randint(1, 15)))
    if kind == 6:
        return rng.choice(CODE)
    if kind == 7:
        return rng.choice("aAeEoOuUnN") + "".join(chr(rng.choice(MARKS)) for _ in range(rng.randint(1, 6)))
    if kind == 8:
        return rng.choice(["a", "Z", " ", "\n", "é", "字", "0", "!", "ab", " a", "👍", "\u0301", "=-", "▁"]) * rng.randint(2, 60)
    if kind == 9:
        return "".join(character(rng, 1, 0x1FFFF) for _ in range(rng.randint(1, 5)))
    if kind == 10 and added:
        return rng.choice(added)
    if kind == 11 and added:  # nearly one
        token = rng.choice(added)
        return token[: rng.randint(0, len(token))] + rng.choice(["", "x", "<", " "])
    if kind == 12:
        return rng.choice(".,;:!?…-–—()[]{}\"'«»„“”/\\|@#$%^&*+=<>~`") * rng.choice([1, 1, 2, 4])
    return rng.choice(WORDS) + " " + rng.choice(WORDS)


def texts(seed, count, added=()):
    """`count` texts; one in 200 is long. added: contents of the tokenizer's added tokens."""
    rng = random.Random(seed)
    for n in range(count):
        pieces = rng.randint(100, 400) if n % 200 == 199 else rng.randint(0, 12)
        yield rng.choice(["", "", " "]).join(piece(rng, added) for _ in range(pieces))
