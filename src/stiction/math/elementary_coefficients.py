#!/usr/bin/env python3
"""Prints the constants of elementary_trigonometric.cpp and elementary_exponential.cpp (needs python3-mpmath).

Each polynomial interpolates its function at Chebyshev nodes in 200-digit arithmetic; the printed error is that
of the function it serves, relative, with the coefficients rounded to double.
"""
import mpmath as mp

mp.mp.dps = 200


def chebyshev_fit(f, low, high, degree):
    n = degree + 1
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    table = [f(x) for x in nodes]
    for j in range(1, n):  # divided differences
        for i in range(n - 1, j - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (nodes[i] - nodes[i - j])
    coefficients = [mp.mpf(0)] * n  # Newton form to powers
    for i in range(n - 1, -1, -1):
        shifted = [mp.mpf(0)] + coefficients[:-1]
        coefficients = [s - nodes[i] * c for s, c in zip(shifted, coefficients)]
        coefficients[0] += table[i]
    return [float(c) for c in coefficients]


def show(name, f, low, high, degree, share):
    """share(x): |d(result)/d(polynomial)| / |result|, what weighs the polynomial's error."""
    low, high = mp.mpf(low), mp.mpf(high)
    c = chebyshev_fit(f, low, high, degree)
    worst = mp.mpf(0)
    for k in range(1, 1999):
        x = low + (high - low) * k / 1999
        p = mp.polyval([mp.mpf(a) for a in reversed(c)], x)
        worst = max(worst, abs(p - f(x)) * share(x))
    print(f"// {name}: relative error 2^{float(mp.log(worst, 2)):.1f}")
    print("{" + ", ".join(a.hex() for a in c) + "}")


def parts(name, value, count, bits):
    out = []
    for i in range(count):
        if i + 1 == count:
            part = mp.mpf(float(value))
        else:
            scale = mp.mpf(2) ** (mp.floor(mp.log(abs(value), 2)) + 1 - bits)
            part = mp.floor(value / scale) * scale
        out.append(float(part))
        value -= part
    print(f"// {name}: " + ", ".join(p.hex() for p in out))


s = mp.sqrt
show("sine (sin r - r) / r^3 in r^2", lambda z: (mp.sin(s(z)) - s(z)) / s(z) ** 3, 1e-12, (mp.pi / 4) ** 2, 6,
     lambda z: s(z) ** 3 / mp.sin(s(z)))
show("cosine (cos r - 1 + r^2/2) / r^4 in r^2", lambda z: (mp.cos(s(z)) - 1 + z / 2) / z**2, 1e-12,
     (mp.pi / 4) ** 2, 6, lambda z: z**2 / mp.cos(s(z)))
show("arctangent (atan x - x) / x^3 in x^2", lambda z: (mp.atan(s(z)) - s(z)) / s(z) ** 3, 1e-12,
     mp.mpf(7) ** 2 / 256, 11, lambda z: s(z) ** 3 / mp.atan(s(z)))
show("arcsine (asin x - x) / x^3 in x^2", lambda z: (mp.asin(s(z)) - s(z)) / s(z) ** 3, 1e-12, mp.mpf(1) / 4, 13,
     lambda z: s(z) ** 3 / mp.asin(s(z)))
half = mp.log(2) / 2 * mp.mpf("1.001")
show("exponential (exp r - 1 - r) / r^2 in r", lambda r: (mp.exp(r) - 1 - r) / r**2, -half, half, 11,
     lambda r: r**2 / mp.exp(r))
z_high = (3 - 2 * mp.sqrt(2)) ** 2
show("logarithm (2 atanh s - 2 s) / s^3 in s^2", lambda z: 2 * (mp.atanh(s(z)) - s(z)) / s(z) ** 3, 1e-12, z_high, 7,
     lambda z: s(z) ** 3 / (2 * mp.atanh(s(z))))
show("logarithm of a power (atanh s / s - 1 - s^2/3) / s^4 in s^2",
     lambda z: (mp.atanh(s(z)) / s(z) - 1 - z / 3) / z**2, 1e-12, z_high, 9, lambda z: z**2 * s(z) / mp.atanh(s(z)))
parts("pi / 2 in 33 bits each", mp.pi / 2, 4, 33)
parts("pi / 2", mp.pi / 2, 2, 53)
parts("pi", mp.pi, 2, 53)
for x in ["0.5", "1", "1.5"]:
    parts(f"atan {x}", mp.atan(mp.mpf(x)), 2, 53)
parts("ln 2 in 32 bits", mp.log(2), 3, 32)
parts("1 / 3", mp.mpf(1) / 3, 2, 53)
print("// 1 / ln 2:", float(1 / mp.log(2)).hex(), " 2 / pi:", float(2 / mp.pi).hex())
mp.mp.dps = 500
words, x = [], 2 / mp.pi
for _ in range(21):
    x *= mp.mpf(2) ** 64
    w = int(mp.floor(x))
    x -= w
    words.append(f"0x{w:016x}")
print("// 2 / pi in 64-bit words after the point: {" + ", ".join(words) + "}")
