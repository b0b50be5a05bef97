#include <stan_dp/privacy/random_bits.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <tests/privacy/chi_square.hpp>
#include <tests/privacy/fake_units.hpp>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmath>
#include <set>
#include <type_traits>

using namespace stan_dp;

namespace {

/** The next words of `bits` as a child process sees them. */
std::vector<std::uint64_t> words_in_child(random_bits& bits, int count) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < count; ++i) {
      const std::uint64_t word = bits.bits64();
      if (write(ends[1], &word, sizeof(word)) != sizeof(word)) {
        _exit(1);
      }
    }
    _exit(0);
  }
  close(ends[1]);
  std::vector<std::uint64_t> words(count);
  for (auto& word : words) {
    EXPECT_EQ(read(ends[0], &word, sizeof(word)), ssize_t{sizeof(word)});
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return words;
}

/** A source that cannot rely on the kernel to wipe its block. */
class watched_random final : public random_bits {
 public:
  watched_random() : random_bits(&block_, getpid()) {}

 private:
  void refill(std::uint64_t* words) override {
    for (std::size_t i = 0; i < random_block::size; ++i) {
      words[i] = system_.bits64();
    }
  }
  system_random system_;
  random_block block_{};
};

template <class Source>
void expect_no_word_twice_across_forks() {
  Source bits;
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  const auto note = [&](std::uint64_t word) {
    ++drawn;
    seen.insert(word);
  };
  for (int i = 0; i < 10; ++i) {
    note(bits.bits64());
  }
  for (int child = 0; child < 3; ++child) {
    for (const std::uint64_t word : words_in_child(bits, 600)) {
      note(word);
    }
  }
  for (int i = 0; i < 600; ++i) {
    note(bits.bits64());
  }
  // 2410 words of 64 bits: two are equal by chance with probability 1.6e-13
  EXPECT_EQ(seen.size(), drawn);
}

}  // namespace

TEST(RandomBits, a_forked_child_draws_bits_of_its_own) {
  expect_no_word_twice_across_forks<system_random>();
}

TEST(RandomBits, a_forked_child_is_noticed_where_memory_is_not_wiped) {
  expect_no_word_twice_across_forks<watched_random>();
}

TEST(RandomBits, sources_cannot_be_copied_or_made_from_each_other) {
  EXPECT_FALSE(std::is_copy_constructible<system_random>::value);
  EXPECT_FALSE(std::is_move_constructible<system_random>::value);
  EXPECT_FALSE(std::is_copy_assignable<system_random>::value);
  EXPECT_FALSE(std::is_copy_constructible<seeded_random>::value);
  EXPECT_FALSE((std::is_constructible<seeded_random, system_random&>::value));
  EXPECT_FALSE((std::is_constructible<system_random, seeded_random&>::value));
  EXPECT_FALSE((std::is_constructible<system_random, std::uint64_t>::value));
  EXPECT_FALSE(std::is_default_constructible<seeded_random>::value);
}

TEST(RandomBits, a_used_word_does_not_stay_in_memory) {
  struct open_block final : random_bits {
    open_block() : random_bits(&block) {}
    void refill(std::uint64_t* words) override {
      std::fill(words, words + random_block::size, 7);
    }
    random_block block{};
  } bits;
  EXPECT_EQ(bits.bits64(), 7u);
  EXPECT_EQ(bits.block.left, random_block::size - 1);
  EXPECT_EQ(bits.block.words[random_block::size - 1], 0u);
  EXPECT_EQ(bits.block.words[random_block::size - 2], 7u);
}

// RFC 8439, appendix A.1, test vectors 1 and 2: the key, the nonce zero and the
// counter 0 and 1; words are little-endian. (`openssl enc -chacha20` of zeros.)
TEST(SeededRandom, is_chacha20) {
  seeded_random bits(0);
  EXPECT_EQ(bits.bits64(), 0x903df1a0ade0b876u);
  EXPECT_EQ(bits.bits64(), 0x28bd8653e56a5d40u);
  for (int i = 2; i < 8; ++i) {
    bits.bits64();
  }
  EXPECT_EQ(bits.bits64(), 0x7a385155bee7079fu);
}

TEST(SeededRandom, gives_the_same_bits_for_a_seed_and_others_for_a_stream) {
  seeded_random first(5, 1), again(5, 1), stream(5, 2), seed(6, 1);
  std::set<std::uint64_t> words;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t word = first.bits64();
    EXPECT_EQ(again.bits64(), word);
    words.insert({word, stream.bits64(), seed.bits64()});
  }
  EXPECT_EQ(words.size(), 6000u);
}

TEST(RandomBits, uniforms_are_never_zero_or_one) {
  scripted_bits lowest({0}), highest({~std::uint64_t{0}});
  EXPECT_EQ(uniform(lowest), 0x1p-53);
  EXPECT_EQ(uniform(highest), 1 - 0x1p-53);
}

// Standard errors at 400,000 draws: mean 1/632, variance 1.414/632, fourth
// moment sqrt(96)/632; five of them are allowed.
TEST(RandomBits, normals_have_the_moments_of_the_normal) {
  seeded_random bits(1);
  const int n = 400000;
  double sum1 = 0, sum2 = 0, sum4 = 0;
  for (int i = 0; i < n; ++i) {
    const double x = normal(bits);
    sum1 += x;
    sum2 += x * x;
    sum4 += x * x * x * x;
  }
  EXPECT_NEAR(sum1 / n, 0, 5 / 632.0);
  EXPECT_NEAR(sum2 / n, 1, 5 * 1.414 / 632);
  EXPECT_NEAR(sum4 / n, 3, 5 * 9.8 / 632);
}

TEST(RandomBits, uniform_below_is_uniform_also_where_two_to_64_is_no_multiple) {
  seeded_random bits(2);
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{7},
                                std::uint64_t{10}, std::uint64_t{3} << 62}) {
    const int bins = n == 1 ? 1 : n == 10 ? 10 : n == 7 ? 7 : 6;
    std::vector<double> counts(bins, 0), expected(bins, 60000.0 / bins);
    for (int i = 0; i < 60000; ++i) {
      const std::uint64_t x = uniform_below(bits, n);
      ASSERT_LT(x, n);
      counts[static_cast<std::size_t>(static_cast<uint128>(x) * bins / n)] += 1;
    }
    if (n > 1) {
      EXPECT_GT(chi_square_p(counts, expected), 1e-4) << n;
    }
  }
  EXPECT_THROW(uniform_below(bits, 0), std::invalid_argument);
}
