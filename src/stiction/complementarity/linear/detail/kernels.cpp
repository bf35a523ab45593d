// Inner loops of dense.h. Every loop is written once, for a vector type V; it is compiled for two doubles a
// register and, on x86, again for four (AVX2, no fused multiply-add). Which one runs changes no bit.
#include <cstring>

#include "stiction/complementarity/linear/detail/dense.h"

namespace stiction::complementarity::detail {
namespace {

using Two = double __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));

#define STICTION_INLINE [[gnu::always_inline]] inline

template <class V>
STICTION_INLINE void load(V& v, const double* p) {
  std::memcpy(&v, p, sizeof(V));
}
template <class V>
STICTION_INLINE void store(double* p, const V& v) {
  std::memcpy(p, &v, sizeof(V));
}
template <class V>
STICTION_INLINE void fill(V& v, double a) {
  v = V{} + a;
}

template <class V>
STICTION_INLINE void add_scaled_any(std::size_t n, double a, const double* x, double* y) {
  constexpr std::size_t lanes = sizeof(V) / sizeof(double);
  V factor;
  fill(factor, a);
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    V x0, x1, y0, y1;
    load(x0, x + i), load(x1, x + i + lanes), load(y0, y + i), load(y1, y + i + lanes);
    y0 += factor * x0, y1 += factor * x1;
    store(y + i, y0), store(y + i + lanes, y1);
  }
  for (; i < n; ++i) y[i] += a * x[i];
}

template <class V>
STICTION_INLINE void add_scaled4_any(std::size_t n, const double a[4], const double* const x[4], double* y) {
  constexpr std::size_t lanes = sizeof(V) / sizeof(double);
  V f0, f1, f2, f3;
  fill(f0, a[0]), fill(f1, a[1]), fill(f2, a[2]), fill(f3, a[3]);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    V sum, v;
    load(sum, y + i);
    load(v, x[0] + i), sum += f0 * v;
    load(v, x[1] + i), sum += f1 * v;
    load(v, x[2] + i), sum += f2 * v;
    load(v, x[3] + i), sum += f3 * v;
    store(y + i, sum);
  }
  for (; i < n; ++i) {
    double sum = y[i];
    for (int k = 0; k < 4; ++k) sum += a[k] * x[k][i];
    y[i] = sum;
  }
}

template <class V>
STICTION_INLINE double dot_any(std::size_t n, const double* x, const double* y) {
  constexpr std::size_t lanes = sizeof(V) / sizeof(double), count = 8 / lanes;
  V sum[count] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t k = 0; k < count; ++k) {
      V a, b;
      load(a, x + i + k * lanes), load(b, y + i + k * lanes);
      sum[k] += a * b;
    }
  double part[8];
  std::memcpy(part, sum, sizeof part);
  for (std::size_t k = 0; i + k < n; ++k) part[k] += x[i + k] * y[i + k];
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

// rows x (columns of one packed strip) of C -= A B. The strip holds k rows of `strip` numbers.
constexpr std::size_t strip = 8;

template <class V, std::size_t rows>
STICTION_INLINE void tile_any(std::size_t k, const double* A, std::size_t lda, const double* packed,
                              double* C, std::size_t ldc, std::size_t columns) {
  constexpr std::size_t lanes = sizeof(V) / sizeof(double);
  double out[rows][strip];
  // Half a strip at a time where registers hold two numbers: 4 rows x 4 columns fit, 4 x 8 do not.
  constexpr std::size_t width = lanes == 2 ? 4 : 8, count = width / lanes;
  for (std::size_t first = 0; first < strip; first += width) {
    V sum[rows][count] = {};
    for (std::size_t p = 0; p < k; ++p) {
      V b[count];
      for (std::size_t c = 0; c < count; ++c) load(b[c], packed + p * strip + first + c * lanes);
      for (std::size_t r = 0; r < rows; ++r) {
        V a;
        fill(a, A[r * lda + p]);
        for (std::size_t c = 0; c < count; ++c) sum[r][c] += a * b[c];
      }
    }
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < count; ++c) store(out[r] + first + c * lanes, sum[r][c]);
  }
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) C[r * ldc + c] -= out[r][c];
}

// All rows of one strip.
template <class V>
STICTION_INLINE void strip_any(std::size_t m, std::size_t k, const double* A, std::size_t lda,
                               const double* packed, double* C, std::size_t ldc, std::size_t columns) {
  std::size_t i = 0;
  for (; i + 4 <= m; i += 4) tile_any<V, 4>(k, A + i * lda, lda, packed, C + i * ldc, ldc, columns);
  for (; i < m; ++i) tile_any<V, 1>(k, A + i * lda, lda, packed, C + i * ldc, ldc, columns);
}

struct Kernels {
  void (*add_scaled)(std::size_t, double, const double*, double*);
  void (*add_scaled4)(std::size_t, const double*, const double* const*, double*);
  double (*dot)(std::size_t, const double*, const double*);
  void (*strip)(std::size_t, std::size_t, const double*, std::size_t, const double*, double*, std::size_t,
                std::size_t);
};

void add_scaled_two(std::size_t n, double a, const double* x, double* y) { add_scaled_any<Two>(n, a, x, y); }
void add_scaled4_two(std::size_t n, const double* a, const double* const* x, double* y) {
  add_scaled4_any<Two>(n, a, x, y);
}
double dot_two(std::size_t n, const double* x, const double* y) { return dot_any<Two>(n, x, y); }
void strip_two(std::size_t m, std::size_t k, const double* A, std::size_t lda, const double* packed,
               double* C, std::size_t ldc, std::size_t columns) {
  strip_any<Two>(m, k, A, lda, packed, C, ldc, columns);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void add_scaled_four(std::size_t n, double a, const double* x, double* y) {
  add_scaled_any<Four>(n, a, x, y);
}
[[gnu::target("avx2")]] void add_scaled4_four(std::size_t n, const double* a, const double* const* x,
                                              double* y) {
  add_scaled4_any<Four>(n, a, x, y);
}
[[gnu::target("avx2")]] double dot_four(std::size_t n, const double* x, const double* y) {
  return dot_any<Four>(n, x, y);
}
[[gnu::target("avx2")]] void strip_four(std::size_t m, std::size_t k, const double* A, std::size_t lda,
                                        const double* packed, double* C, std::size_t ldc,
                                        std::size_t columns) {
  strip_any<Four>(m, k, A, lda, packed, C, ldc, columns);
}
#endif

Kernels choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return {add_scaled_four, add_scaled4_four, dot_four, strip_four};
#endif
  return {add_scaled_two, add_scaled4_two, dot_two, strip_two};
}

const Kernels& kernels() {
  static const Kernels chosen = choose();
  return chosen;
}

constexpr std::size_t panel = 256;  // rows of B packed at a time: a strip of 16 kB stays in the first cache

// Strip j of the rows [p, p + k) of B, padded with zeros to its full width.
void pack_strip(const double* B, std::size_t ldb, bool transposed, std::size_t p, std::size_t k,
                std::size_t j, std::size_t columns, double* out) {
  for (std::size_t r = 0; r < k; ++r) {
    for (std::size_t c = 0; c < columns; ++c)
      out[r * strip + c] = transposed ? B[(j + c) * ldb + p + r] : B[(p + r) * ldb + j + c];
    for (std::size_t c = columns; c < strip; ++c) out[r * strip + c] = 0;
  }
}

}  // namespace

void add_scaled(std::size_t n, double a, const double* x, double* y) { kernels().add_scaled(n, a, x, y); }
void add_scaled4(std::size_t n, const double a[4], const double* const x[4], double* y) {
  kernels().add_scaled4(n, a, x, y);
}
double dot(std::size_t n, const double* x, const double* y) { return kernels().dot(n, x, y); }

void subtract_product(std::size_t m, std::size_t n, std::size_t k, const double* A, std::size_t lda,
                      const double* B, std::size_t ldb, bool transposed, double* C, std::size_t ldc,
                      std::vector<double>& pack) {
  if (pack.size() < panel * strip) pack.resize(panel * strip);
  for (std::size_t p = 0; p < k; p += panel) {
    const std::size_t depth = k - p < panel ? k - p : panel;
    for (std::size_t j = 0; j < n; j += strip) {
      const std::size_t columns = n - j < strip ? n - j : strip;
      pack_strip(B, ldb, transposed, p, depth, j, columns, pack.data());
      kernels().strip(m, depth, A + p, lda, pack.data(), C + j, ldc, columns);
    }
  }
}

void subtract_product_lower(std::size_t n, std::size_t k, const double* A, std::size_t lda, double* C,
                            std::size_t ldc, std::vector<double>& pack) {
  if (pack.size() < panel * strip) pack.resize(panel * strip);
  for (std::size_t p = 0; p < k; p += panel) {
    const std::size_t depth = k - p < panel ? k - p : panel;
    for (std::size_t j = 0; j < n; j += strip) {
      const std::size_t columns = n - j < strip ? n - j : strip;
      pack_strip(A, lda, true, p, depth, j, columns, pack.data());
      kernels().strip(n - j, depth, A + j * lda + p, lda, pack.data(), C + j * ldc + j, ldc, columns);
    }
  }
}

}  // namespace stiction::complementarity::detail
