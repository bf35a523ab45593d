#include "stiction/math/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "stiction/base/hash.h"

namespace stiction {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = 0x1.921fb54442d18p+1;
constexpr double largest = std::numeric_limits<double>::max();
constexpr double tiniest = std::numeric_limits<double>::denorm_min();

class Sampler {
 public:
  explicit Sampler(unsigned seed) : bits_(seed) {}
  double in(double low, double high) { return low + (high - low) * double(bits_() >> 11) * 0x1p-53; }
  // Any finite double of an exponent in [low, high], either sign.
  double with_exponent(int low, int high) {
    const double m = 1 + double(bits_() >> 12) * 0x1p-52;
    const int e = low + int(bits_() % std::uint64_t(high - low + 1));
    return (bits_() & 1 ? -1 : 1) * std::ldexp(m, e);
  }

 private:
  std::mt19937_64 bits_;
};

// Units in the last place of a double near the true value.
double ulps(double value, long double truth) {
  if (double(truth) == value) return 0;
  const double near = std::fabs(double(truth));
  const double unit =
      near < std::numeric_limits<double>::min() ? tiniest : std::ldexp(1.0, std::ilogb(near) - 52);
  return double(std::fabs((long double)(value)-truth) / (long double)(unit));
}

// The reference is the C library with 64-bit significands, itself good to about 2^-11 of our units.
constexpr bool has_reference = std::numeric_limits<long double>::digits >= 64;
constexpr int samples = 200000;

struct Worst {
  double error = 0, at = 0;
  void see(double e, double x) {
    if (e > error) error = e, at = x;
  }
};

template <class Ours, class Truth, class Next>
void expect_within(const char* what, double limit, const Ours& ours, const Truth& truth, const Next& next) {
  if (!has_reference) GTEST_SKIP() << "long double is no better than double here";
  Worst worst;
  for (int i = 0; i < samples; ++i) {
    const double x = next();
    worst.see(ulps(ours(x), truth((long double)(x))), x);
  }
  EXPECT_LT(worst.error, limit) << what << " at " << worst.at;
  ::testing::Test::RecordProperty(what, std::to_string(worst.error));
}

// Limits: half a unit for the last rounding, plus the roundings before it, weighted by their share in the
// result.
// Both at once are the bits of each alone: small, medium and huge angles, every quadrant, and what is no
// angle.
TEST(Elementary, SineAndCosineAtOnce) {
  Sampler sample(21);
  const auto check = [](double x) {
    const elementary::SineCosine both = elementary::sine_and_cosine(x);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(both.sin), std::bit_cast<std::uint64_t>(elementary::sin(x))) << x;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(both.cos), std::bit_cast<std::uint64_t>(elementary::cos(x))) << x;
  };
  for (int i = 0; i < samples; ++i) check(sample.in(-10, 10)), check(sample.with_exponent(-60, 1000));
  for (const double x : {0.0, -0.0, pi / 4, -pi / 4, pi, inf, -inf, nan, largest, tiniest}) check(x);
}

TEST(Elementary, SineAndCosine) {
  Sampler random(1);
  const auto s = [](double x) { return elementary::sin(x); };
  const auto c = [](double x) { return elementary::cos(x); };
  const auto sl = [](long double x) { return sinl(x); };
  const auto cl = [](long double x) { return cosl(x); };
  const auto first = [&] { return random.in(-pi, pi); };
  const auto ordinary = [&] { return random.in(-1e4, 1e4); };
  const auto medium = [&] { return random.in(-0x1p20, 0x1p20); };
  const auto large = [&] { return random.with_exponent(20, 62); };
  const auto small = [&] { return random.with_exponent(-60, 0); };
  expect_within("sin_first_turn", 0.8, s, sl, first);
  expect_within("cos_first_turn", 0.8, c, cl, first);
  expect_within("sin_ordinary", 0.8, s, sl, ordinary);
  expect_within("cos_ordinary", 0.8, c, cl, ordinary);
  expect_within("sin_medium", 0.8, s, sl, medium);
  expect_within("cos_medium", 0.8, c, cl, medium);
  expect_within("sin_large", 0.8, s, sl, large);
  expect_within("cos_large", 0.8, c, cl, large);
  expect_within("sin_small", 0.8, s, sl, small);
  expect_within("cos_small", 0.8, c, cl, small);
}

TEST(Elementary, HugeAngles) {
  Sampler random(2);
  const auto next = [&] { return random.with_exponent(62, 1023); };
  expect_within(
      "sin_huge", 0.8, [](double x) { return elementary::sin(x); }, [](long double x) { return sinl(x); },
      next);
  expect_within(
      "cos_huge", 0.8, [](double x) { return elementary::cos(x); }, [](long double x) { return cosl(x); },
      next);
  // The double that comes closest to a multiple of pi/2 (Muller, Elementary Functions, section 11.3):
  // 6381956970095103 * 2^797, whose cosine is -4.68716592425462761112e-19.
  const double closest = std::ldexp(6381956970095103.0, 797);
  EXPECT_NEAR(elementary::cos(closest), -4.68716592425462761112e-19, 2e-34);
  EXPECT_EQ(std::fabs(elementary::sin(closest)), 1);
}

TEST(Elementary, Tangent) {
  Sampler random(3);
  const auto t = [](double x) { return elementary::tan(x); };
  const auto tl = [](long double x) { return tanl(x); };
  expect_within("tan_first_turn", 1, t, tl, [&] { return random.in(-pi, pi); });
  expect_within("tan_ordinary", 1, t, tl, [&] { return random.in(-1e4, 1e4); });
  expect_within("tan_large", 1, t, tl, [&] { return random.with_exponent(20, 1000); });
  expect_within("tan_small", 1, t, tl, [&] { return random.with_exponent(-60, 0); });
}

TEST(Elementary, InverseFunctions) {
  Sampler random(4);
  const auto at = [](double x) { return elementary::atan(x); };
  const auto atl = [](long double x) { return atanl(x); };
  expect_within("atan", 1, at, atl, [&] { return random.in(-4, 4); });
  expect_within("atan_all", 1, at, atl, [&] { return random.with_exponent(-60, 80); });
  const auto as = [](double x) { return elementary::asin(x); };
  const auto asl = [](long double x) { return asinl(x); };
  const auto ac = [](double x) { return elementary::acos(x); };
  const auto acl = [](long double x) { return acosl(x); };
  const auto unit = [&] { return random.in(-1, 1); };
  const auto small = [&] { return random.with_exponent(-40, -1); };
  const auto ends = [&] {
    const double x = random.with_exponent(-50, -2);
    return x > 0 ? 1 - x : -1 - x;
  };
  expect_within("asin", 1, as, asl, unit);
  expect_within("asin_small", 1, as, asl, small);
  expect_within("asin_ends", 1, as, asl, ends);
  expect_within("acos", 1, ac, acl, unit);
  expect_within("acos_small", 1, ac, acl, small);
  expect_within("acos_ends", 1, ac, acl, ends);
}

TEST(Elementary, AngleOfAPoint) {
  if (!has_reference) GTEST_SKIP();
  Sampler random(5);
  Worst worst;
  for (int i = 0; i < samples; ++i) {
    const double y = random.with_exponent(-20, 20), x = random.with_exponent(-20, 20);
    worst.see(ulps(elementary::atan2(y, x), atan2l(y, x)), y / x);
  }
  for (int i = 0; i < samples; ++i) {
    const double y = random.in(-1, 1), x = random.in(-1, 1);
    worst.see(ulps(elementary::atan2(y, x), atan2l(y, x)), y / x);
  }
  // Half a unit from the quotient (times at most 2 where the binade changes), one from atan.
  EXPECT_LT(worst.error, 2) << "y/x = " << worst.at;
  RecordProperty("atan2", std::to_string(worst.error));
}

TEST(Elementary, ExponentialAndLogarithm) {
  Sampler random(6);
  const auto e = [](double x) { return elementary::exp(x); };
  const auto el = [](long double x) { return expl(x); };
  expect_within("exp", 0.8, e, el, [&] { return random.in(-2, 2); });
  expect_within("exp_all", 0.8, e, el, [&] { return random.in(-708, 709.7); });
  expect_within("exp_small", 0.8, e, el, [&] { return random.with_exponent(-60, -1); });
  expect_within("exp_subnormal", 1.1, e, el, [&] { return random.in(-745, -708); });
  const auto l = [](double x) { return elementary::log(x); };
  const auto ll = [](long double x) { return logl(x); };
  expect_within("log", 1, l, ll, [&] { return random.in(0, 4); });
  expect_within("log_all", 1, l, ll, [&] { return std::fabs(random.with_exponent(-1074, 1023)); });
  expect_within("log_near_one", 1, l, ll, [&] { return 1 + random.with_exponent(-52, -3); });
}

TEST(Elementary, Power) {
  if (!has_reference) GTEST_SKIP();
  Sampler random(7);
  Worst ordinary, extreme;
  for (int i = 0; i < samples; ++i) {
    const double x = random.in(0, 20), y = random.in(-20, 20);
    ordinary.see(ulps(elementary::pow(x, y), powl(x, y)), x);
  }
  for (int i = 0; i < samples; ++i) {
    // Results all over the range: y = target / log x.
    const double x = std::fabs(random.with_exponent(-1000, 1000));
    const double y = random.in(-708, 709) / std::log(x);
    extreme.see(ulps(elementary::pow(x, y), powl(x, y)), x);
  }
  for (int i = 0; i < samples; ++i) {
    const double x = 1 + random.with_exponent(-50, -2);
    const double y = random.in(-700, 700) / std::log(x);
    extreme.see(ulps(elementary::pow(x, y), powl(x, y)), x);
  }
  EXPECT_LT(ordinary.error, 0.8) << ordinary.at;
  EXPECT_LT(extreme.error, 1) << extreme.at;
  RecordProperty("pow", std::to_string(ordinary.error));
  RecordProperty("pow_all", std::to_string(extreme.error));
  for (int n = -1022; n <= 1023; ++n) ASSERT_EQ(elementary::pow(2, n), std::ldexp(1.0, n)) << n;
  for (int n = 0; n <= 15; ++n) {
    double exact = 1;
    for (int i = 0; i < n; ++i) exact *= 10;
    EXPECT_EQ(elementary::pow(10, n), exact) << n;
    EXPECT_EQ(elementary::pow(-10, n), n % 2 ? -exact : exact) << n;
  }
}

void expect_same(double a, double b) {
  if (std::isnan(b)) {
    EXPECT_TRUE(std::isnan(a));
  } else {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " " << b;
  }
}

TEST(Elementary, SpecialValues) {
  using namespace elementary;
  for (const double x : {nan, inf, -inf}) {
    expect_same(elementary::sin(x), nan);
    expect_same(elementary::cos(x), nan);
    expect_same(elementary::tan(x), nan);
    expect_same(elementary::asin(x), nan);
    expect_same(elementary::acos(x), nan);
  }
  for (const double x : {0.0, -0.0, tiniest, -tiniest, 1e-300}) {
    expect_same(elementary::sin(x), x);
    expect_same(elementary::tan(x), x);
    expect_same(elementary::asin(x), x);
    expect_same(elementary::atan(x), x);
    expect_same(elementary::cos(x), 1);
    expect_same(elementary::exp(x), 1);
    expect_same(elementary::acos(x), pi / 2);
  }
  expect_same(elementary::asin(1), pi / 2);
  expect_same(elementary::asin(-1), -pi / 2);
  expect_same(elementary::asin(1.0000000000000002), nan);
  expect_same(elementary::acos(1), 0);
  expect_same(elementary::acos(-1), pi);
  expect_same(elementary::acos(-1.0000000000000002), nan);
  expect_same(elementary::atan(inf), pi / 2);
  expect_same(elementary::atan(-inf), -pi / 2);
  expect_same(elementary::atan(1), pi / 4);
  expect_same(elementary::atan(nan), nan);
  expect_same(elementary::exp(inf), inf);
  expect_same(elementary::exp(-inf), 0);
  expect_same(elementary::exp(nan), nan);
  expect_same(elementary::exp(1), 0x1.5bf0a8b145769p+1);
  expect_same(elementary::exp(709.782712893384), 0x1.fffffffffff2ap+1023);
  expect_same(elementary::exp(709.7827128933841), inf);
  expect_same(elementary::exp(-745.1332191019411), tiniest);
  expect_same(elementary::exp(-745.1332191019412), 0);
  expect_same(elementary::log(0.0), -inf);
  expect_same(elementary::log(-0.0), -inf);
  expect_same(elementary::log(1), 0);
  expect_same(elementary::log(inf), inf);
  expect_same(elementary::log(-1), nan);
  expect_same(elementary::log(-inf), nan);
  expect_same(elementary::log(nan), nan);
  expect_same(elementary::log(2), 0x1.62e42fefa39efp-1);
}

// All pairs of the interesting numbers agree with the C library on sign, zero, infinity and nan.
TEST(Elementary, SpecialPairs) {
  const double list[] = {0.0,     -0.0,     1,       -1,       0.5,     -0.5,  2,      -2,     3,
                         -3,      0x1p53,   -0x1p53, 0x1p70,   -0x1p70, 1e300, -1e300, 1e-300, -1e-300,
                         tiniest, -tiniest, largest, -largest, inf,     -inf,  nan};
  for (const double a : list) {
    for (const double b : list) {
      SCOPED_TRACE(::testing::Message() << a << ", " << b);
      for (const bool power : {false, true}) {
        const double ours = power ? elementary::pow(a, b) : elementary::atan2(a, b);
        const double libm = power ? std::pow(a, b) : std::atan2(a, b);
        EXPECT_EQ(std::fpclassify(ours), std::fpclassify(libm)) << ours << " " << libm;
        if (std::isnan(libm)) continue;
        EXPECT_EQ(std::signbit(ours), std::signbit(libm));
        if (std::isfinite(libm)) {
          EXPECT_NEAR(ours, libm, 4e-16 * std::fabs(libm));
        }
      }
    }
  }
}

// The same bits from every compiler, optimisation level and machine: the value was recorded once.
TEST(Elementary, SameBitsEverywhere) {
  Sampler random(8);
  Hash hash;
  for (int i = 0; i < 20000; ++i) {
    const double x = random.in(-10, 10), u = random.in(-1, 1), big = random.with_exponent(-30, 1000);
    for (const double y :
         {elementary::sin(x), elementary::cos(x), elementary::tan(x), elementary::sin(big),
          elementary::cos(big), elementary::tan(big), elementary::asin(u), elementary::acos(u),
          elementary::atan(x), elementary::atan2(x, u), elementary::exp(x), elementary::log(std::fabs(big)),
          elementary::pow(std::fabs(x), u)})
      hash.number(y);
  }
  EXPECT_EQ(hash.result(), 9208420317002858907ull);
}

}  // namespace
}  // namespace stiction
