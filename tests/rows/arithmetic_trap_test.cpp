#include <stan_dp/rows/guarded.hpp>
#include <gtest/gtest.h>
#include <csignal>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using stan_dp::guarded;
using stan_dp::internal::division_length;

namespace {

/** The compiler folds nothing and leaves nothing out; a sanitizer would end the
 * process before the trap can. */
#define UNCHECKED __attribute__((no_sanitize("undefined")))

template <typename T>
UNCHECKED T divide(volatile T a, volatile T b) {
  volatile T result = a / b;
  return result;
}
template <typename T>
UNCHECKED T remainder(volatile T a, volatile T b) {
  return a % b;
}

#ifdef __x86_64__

/** Expected lengths are those of the instructions, from the assembler. */
TEST(ArithmeticTrap, knows_how_long_a_division_is) {
  const std::vector<std::vector<std::uint8_t>> divisions{
      {0xf7, 0xf9},                          // idiv ecx
      {0xf7, 0xf1},                          // div ecx
      {0x48, 0xf7, 0xfb},                    // idiv rbx
      {0x41, 0xf7, 0xf8},                    // idiv r8d
      {0x66, 0xf7, 0xf9},                    // idiv cx
      {0xf6, 0xf9},                          // idiv cl
      {0xf7, 0x38},                          // [rax]
      {0xf7, 0x7d, 0xec},                    // [rbp-20]
      {0xf7, 0x7c, 0x24, 0x0c},              // [rsp+12]
      {0xf7, 0x3c, 0x88},                    // [rax+rcx*4]
      {0xf7, 0x3c, 0x8d, 0, 0, 0, 0},        // [rcx*4+0]
      {0xf7, 0x3d, 1, 2, 3, 4},              // [rip+...]
      {0xf7, 0xbd, 1, 2, 3, 4},              // [rbp+...]
      {0x48, 0xf7, 0xbc, 0x24, 1, 2, 3, 4},  // [rsp+...], 64 bits
      {0x43, 0xf7, 0x7c, 0xb5, 0x00},        // [r13+r14*4]
  };
  for (auto code : divisions) {
    const std::size_t length = code.size();
    code.resize(16, 0x90);
    EXPECT_EQ(division_length(code.data()), length);
  }
}

TEST(ArithmeticTrap, knows_what_is_no_division) {
  for (std::vector<std::uint8_t> code :
       {std::vector<std::uint8_t>{0xf7, 0xe1},  // mul ecx
        {0xf7, 0xd9},                           // neg ecx
        {0x01, 0xc8},                           // add
        {0xf0, 0xf7, 0xf9}}) {                  // no such prefix
    code.resize(16, 0x90);
    EXPECT_EQ(division_length(code.data()), 0u);
  }
}

TEST(ArithmeticTrap, gives_a_result_and_tells) {
  std::string what;
  int quotient = -1, rest = -1;
  std::int64_t wide = -1;
  EXPECT_FALSE(guarded(
      [&] {
        quotient = divide(7, 0);
        rest = remainder(7, 0);
        wide = divide<std::int64_t>(std::int64_t{1} << 40, 0);
      },
      &what));
  EXPECT_EQ(quotient, 0);
  EXPECT_EQ(rest, 7);
  EXPECT_EQ(wide, 0);
  EXPECT_EQ(what, "integer division by zero");
}

UNCHECKED int overflow() {
  volatile int lowest = std::numeric_limits<int>::min();
  volatile int minus_one = -1;
  volatile int quotient = lowest / minus_one;
  return quotient;
}

TEST(ArithmeticTrap, division_that_overflows_is_told_too) {
  int quotient = 7;
  EXPECT_FALSE(guarded([&] { quotient = overflow(); }));
  EXPECT_EQ(quotient, 0);
}

/** A model may divide on a thread of its own making. */
TEST(ArithmeticTrap, other_threads_of_guarded_code_live) {
  int quotient = -1;
  EXPECT_TRUE(
      guarded([&] { std::thread([&] { quotient = divide(7, 0); }).join(); }));
  EXPECT_EQ(quotient, 0);
}

TEST(ArithmeticTrapDeathTest, division_that_is_not_guarded_ends_the_process) {
  guarded([] { divide(7, 0); });
  EXPECT_EXIT(divide(7, 0), testing::KilledBySignal(SIGFPE), "");
}

#endif

TEST(Guarded, destructors_run_and_the_next_body_is_fine) {
  struct counter {
    explicit counter(int& count) : count(count) { ++count; }
    ~counter() { --count; }
    int& count;
  };
  int alive = 0;
  guarded([&] {
    const counter one(alive);
    divide(7, 0);
  });
  EXPECT_EQ(alive, 0);
  EXPECT_TRUE(guarded([] { divide(7, 2); }));
}

TEST(Guarded, says_what_an_exception_says) {
  std::string what;
  EXPECT_FALSE(guarded([] { throw std::runtime_error("a row"); }, &what));
  EXPECT_EQ(what, "a row");
  EXPECT_FALSE(guarded([] { throw 3; }, &what));
  EXPECT_EQ(what, "an exception without a text");
}

}  // namespace
