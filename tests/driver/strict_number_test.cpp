#include <stan_dp/driver/strict_number.hpp>

#include <gtest/gtest.h>
#include <cstdint>
#include <limits>

using stan_dp::parse_integer;
using stan_dp::parse_real;

TEST(StrictNumberTest, reads_decimal_numbers) {
  EXPECT_EQ(parse_real("0.5"), 0.5);
  EXPECT_EQ(parse_real("-2"), -2.0);
  EXPECT_EQ(parse_real("+.25"), 0.25);
  EXPECT_EQ(parse_real("3."), 3.0);
  EXPECT_EQ(parse_real("1e-6"), 1e-6);
  EXPECT_EQ(parse_real("2.5E+3"), 2500.0);
  EXPECT_EQ(parse_real("0e5"), 0.0);
}

TEST(StrictNumberTest, refuses_what_is_not_wholly_a_decimal_number) {
  for (const char* text :
       {"1,5", "1e-6junk", "0x10",  "inf",   "-inf", "nan", "infinity", "",
        ".",   "-",        "e5",    "1e",    "1e+",  "--1", "+-1",      " 1",
        "1 ",  "1_000",    "1.2.3", "1e5.5", "1d5",  "٣"}) {
    EXPECT_FALSE(parse_real(text)) << text;
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(StrictNumberTest, refuses_numbers_out_of_the_range_of_double) {
  EXPECT_FALSE(parse_real("1e400"));
  EXPECT_FALSE(parse_real("-1e400"));
  EXPECT_FALSE(parse_real("1e-400"));
}

TEST(StrictNumberTest, refuses_reals_where_an_integer_is_asked_for) {
  for (const char* text : {"1e3", "1.0", "1.", ".5"}) {
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(StrictNumberTest, reads_all_integers_of_64_bits_and_none_beyond) {
  using limits = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(parse_integer("12"), 12);
  EXPECT_EQ(parse_integer("-0"), 0);
  EXPECT_EQ(parse_integer("+007"), 7);
  EXPECT_EQ(parse_integer("9223372036854775807"), limits::max());
  EXPECT_EQ(parse_integer("-9223372036854775808"), limits::min());
  EXPECT_FALSE(parse_integer("9223372036854775808"));
  EXPECT_FALSE(parse_integer("-9223372036854775809"));
  EXPECT_FALSE(parse_integer("99999999999999999999"));
}
