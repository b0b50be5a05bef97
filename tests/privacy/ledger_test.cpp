#include <stan_dp/privacy/ledger.hpp>
#include <stan_dp/privacy/seeded_random.hpp>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <thread>

using namespace stan_dp;
namespace fs = std::filesystem;

namespace {

/** A folder of its own for each test. */
class LedgerTest : public testing::Test {
 protected:
  LedgerTest() {
    std::string name = (fs::temp_directory_path() / "ledgerXXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = folder_ + "/ledger.json";
  }
  ~LedgerTest() override { fs::remove_all(folder_); }

  /** mu = 0.5 stands for some figure of an accountant. */
  void make(double epsilon, double delta,
            std::optional<composition> rule = std::nullopt) {
    ledger::create(path_, {epsilon, delta, 0.5}, rule);
  }

  std::string folder_, path_;
};

ledger_entry entry(double epsilon, double delta) {
  return {"sample algorithm=dp_sgld",
          "2024-01-01T00:00:00Z",
          neighbors::substitute,
          "row",
          epsilon,
          delta,
          std::nullopt,
          {},
          "hash"};
}

ledger_entry gaussian_entry(double mu) {
  ledger_entry e = entry(1, 1e-6);
  e.mu = mu;
  return e;
}

/** The divergences of a Gaussian: mu times the order. */
ledger_entry renyi_entry(double mu) {
  ledger_entry e = entry(1, 1e-6);
  for (const double order : ledger_orders()) {
    e.rdp.push_back(mu * order);
  }
  return e;
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const ledger_error& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/** In a child process, whose exit code is what `action` returns. */
pid_t in_child(const std::function<int()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 99;
    try {
      code = action();
    } catch (...) {
    }
    _exit(code);
  }
  return child;
}

}  // namespace

TEST_F(LedgerTest, adds_up_epsilon_and_delta_and_stops_at_the_total) {
  make(1, 1e-5);
  ledger book(path_);
  for (int i = 0; i < 10; ++i) {
    book.charge(entry(0.1, 1e-7));  // ten times 0.1 is 1, whatever doubles say
  }
  EXPECT_TRUE(has(refusal([&] { book.charge(entry(0.001, 1e-7)); }),
                  "the sum of epsilon = 1.001 of 1"));
  EXPECT_EQ(book.read().entries.size(), 10u);
  EXPECT_EQ(book.read().rule, composition::basic);
  EXPECT_NEAR(balance_of(book.read()).spent, 1, 1e-12);
}

TEST_F(LedgerTest, the_total_of_delta_counts_too) {
  make(10, 1e-5);
  ledger book(path_);
  book.charge(entry(0.1, 9e-6));
  EXPECT_TRUE(has(refusal([&] { book.charge(entry(0.1, 2e-6)); }), "delta"));
}

TEST_F(LedgerTest, one_run_may_take_the_whole_total) {
  make(1, 1e-5);
  ledger book(path_);
  book.charge(entry(1, 1e-5));
  EXPECT_NE(refusal([&] { book.charge(entry(1e-6, 0)); }), "");
}

TEST_F(LedgerTest, adds_up_mu_where_all_runs_are_gaussian) {
  make(1, 1e-5);
  ledger book(path_);
  for (int i = 0; i < 5; ++i) {
    book.charge(gaussian_entry(0.1));  // epsilon is 1 in each: not added
  }
  EXPECT_EQ(book.read().rule, composition::gaussian);
  EXPECT_TRUE(has(refusal([&] { book.charge(gaussian_entry(0.1)); }),
                  "the sum of mu = 0.6 of 0.5"));
  EXPECT_TRUE(has(refusal([&] { book.charge(entry(0.1, 1e-7)); }),
                  "composition=basic"));
  EXPECT_EQ(book.read().entries.size(), 5u);
}

// Limit at order a: epsilon - log(1 - 1/a) + (log delta + log a) / (a - 1).
// For (1, 1e-5) limit / a is 0.03012 at a = 16, 0.03015 at 20 and 0.02834 at
// 24; the limit at 20 is 1 + 0.051293 + (-11.512925 + 2.995732) / 19 =
// 0.603020.
TEST_F(LedgerTest, adds_up_renyi_divergences_at_one_order) {
  make(1, 1e-5, composition::renyi);
  ledger book(path_);
  EXPECT_NEAR(balance_of(book.read()).limit, 0.603020, 1e-5);
  const double mu = 0.603020 / 20 / 4.01;
  for (int i = 0; i < 4; ++i) {
    book.charge(renyi_entry(mu));
  }
  EXPECT_TRUE(has(refusal([&] { book.charge(renyi_entry(mu)); }), "Renyi"));
  EXPECT_TRUE(has(refusal([&] { book.charge(entry(0.1, 0)); }), "Renyi"));
  EXPECT_TRUE(has(refusal([&] { book.charge(gaussian_entry(0)); }), "Renyi"));
  EXPECT_EQ(book.read().entries.size(), 4u);
}

TEST_F(LedgerTest, a_rule_that_was_chosen_takes_runs_of_all_kinds) {
  make(1, 1e-5, composition::basic);
  ledger book(path_);
  book.charge(gaussian_entry(0.1));
  EXPECT_EQ(book.read().rule, composition::basic);
  EXPECT_NE(refusal([&] { book.charge(entry(0.1, 0)); }), "");
}

TEST_F(LedgerTest, the_first_entry_fixes_the_neighbours_and_the_unit) {
  make(1, 1e-5);
  ledger book(path_);
  book.charge(entry(0.1, 0));
  ledger_entry other = entry(0.1, 0);
  other.relation = neighbors::add_remove;
  EXPECT_TRUE(
      has(refusal([&] { book.charge(other); }), "neighbors=substitute"));
  other = entry(0.1, 0);
  other.unit = "person";
  EXPECT_TRUE(has(refusal([&] { book.charge(other); }), "unit=row"));
  EXPECT_EQ(book.read().entries.size(), 1u);
}

TEST_F(LedgerTest, changed_data_is_told_and_does_not_reset_the_budget) {
  make(1, 1e-5);
  ledger book(path_);
  ledger_entry run = entry(0.6, 0);
  run.data = book.hash("1,2,3");
  EXPECT_FALSE(book.charge(run));
  run.epsilon = 0.1;
  EXPECT_FALSE(book.charge(run));
  run.data = book.hash("1,2,4");
  EXPECT_TRUE(book.charge(run));
  run.epsilon = 0.6;
  EXPECT_NE(refusal([&] { book.charge(run); }), "");
}

TEST_F(LedgerTest, hashes_are_salted) {
  make(1, 1e-5);
  const std::string hash = ledger(path_).hash("1,2,3");
  fs::remove(path_);
  make(1, 1e-5);
  EXPECT_NE(ledger(path_).hash("1,2,3"), hash);
  EXPECT_NE(hash, sha256("1,2,3"));
}

TEST_F(LedgerTest, costs_that_are_no_costs_are_refused) {
  make(1, 1e-5);
  ledger book(path_);
  for (const double bad : {-0.1, std::nan(""), HUGE_VAL}) {
    EXPECT_NE(refusal([&] { book.charge(entry(bad, 0)); }), "");
    EXPECT_NE(refusal([&] { book.charge(entry(0.1, bad)); }), "");
    EXPECT_NE(refusal([&] { book.charge(gaussian_entry(bad)); }), "");
    EXPECT_NE(refusal([&] { book.charge(renyi_entry(bad)); }), "");
    EXPECT_NE(refusal([&] {
                ledger::create(path_ + "2", {bad, 1e-5, 1});
              }),
              "");
    EXPECT_NE(refusal([&] { ledger::create(path_ + "2", {1, bad, 1}); }), "");
    EXPECT_NE(refusal([&] {
                ledger::create(path_ + "2", {1, 1e-5, bad});
              }),
              "");
  }
  EXPECT_TRUE(book.read().entries.empty());
  EXPECT_FALSE(fs::exists(path_ + "2"));
}

TEST_F(LedgerTest, everything_that_is_entered_comes_back) {
  make(0.1 + 0.2, 1e-5 / 3, composition::basic);
  ledger book(path_);
  ledger_entry run = renyi_entry(1.0 / 3);
  run.mu = 1e-300;
  run.epsilon = 0.1;
  run.delta = 1e-9 / 7;
  run.run = std::string("quote \" back \\ line \n zero ") + '\0' + " \xff é";
  book.charge(run);
  const ledger_contents contents = book.read();
  EXPECT_EQ(contents.budget.epsilon, 0.1 + 0.2);
  EXPECT_EQ(contents.budget.delta, 1e-5 / 3);
  EXPECT_EQ(contents.entries[0].run, run.run);
  EXPECT_EQ(contents.entries[0].rdp, run.rdp);
  EXPECT_EQ(contents.entries[0].mu, run.mu);
  EXPECT_EQ(contents.entries[0].delta, run.delta);
  EXPECT_EQ(contents.entries[0].time, run.time);
}

TEST_F(LedgerTest, a_file_that_exists_is_never_made_anew) {
  write_file(path_, "something of yours");
  EXPECT_TRUE(has(refusal([&] { make(1, 1e-5); }), "exists"));
  EXPECT_EQ(read_text(path_), "something of yours");
}

TEST_F(LedgerTest, a_file_that_does_not_exist_is_an_error) {
  EXPECT_TRUE(has(refusal([&] { ledger book(path_); }), "cannot be read"));
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(LedgerTest, a_foreign_file_is_an_error_and_stays_as_it_is) {
  for (const std::string text :
       {"", "{}", "[]", "null", "lp__,theta\n1,2\n", "{\"format\": 3}",
        "{\"format\": \"stan_dp ledger 1\"}", "{\"N\": 3, \"y\": [1, 2, 3]}"}) {
    write_file(path_, text);
    EXPECT_TRUE(has(refusal([&] { ledger(path_).charge(entry(0.1, 0)); }),
                    "damaged or no ledger"))
        << text;
    EXPECT_EQ(read_text(path_), text);
  }
}

TEST_F(LedgerTest, any_damage_is_an_error_and_is_not_written_over) {
  make(1, 1e-5);
  ledger book(path_);
  book.charge(entry(0.1, 1e-7));
  const std::string good = read_text(path_);
  seeded_random bits(1);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string flipped = good;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << bits.bits64() % 8));
    for (const std::string& text : {good.substr(0, i), flipped}) {
      write_file(path_, text);
      ASSERT_NE(refusal([&] { book.charge(entry(0.1, 0)); }), "") << i;
      ASSERT_EQ(read_text(path_), text) << i;
    }
  }
  write_file(path_, good);
  book.charge(entry(0.1, 0));
}

TEST_F(LedgerTest, keeps_the_permissions_of_its_file) {
  make(1, 1e-5);
  EXPECT_EQ(fs::status(path_).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(path_, fs::perms::group_read, fs::perm_options::add);
  const auto before = fs::status(path_).permissions();
  ledger(path_).charge(entry(0.1, 0));
  EXPECT_EQ(fs::status(path_).permissions(), before);
}

TEST_F(LedgerTest, a_link_to_a_ledger_is_the_same_ledger) {
  make(1, 1e-5);
  fs::create_symlink(path_, folder_ + "/link.json");
  ledger(folder_ + "/link.json").charge(entry(0.7, 0));
  EXPECT_TRUE(fs::is_symlink(folder_ + "/link.json"));
  EXPECT_NE(refusal([&] { ledger(path_).charge(entry(0.7, 0)); }), "");
}

// The budget holds ten runs; eight processes ask for five each, at once: they
// wait for the end of a pipe. Those that get none hear that the total is used
// up, and nothing else.
TEST_F(LedgerTest, processes_at_once_get_no_more_than_the_total) {
  make(1, 1e-5);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    children.push_back(in_child([&] {
      char c;
      close(ends[1]);
      int granted = static_cast<int>(read(ends[0], &c, 1));
      for (int run = 0; run < 5; ++run) {
        const std::string answer
            = refusal([&] { ledger(path_).charge(entry(0.1, 0)); });
        granted += answer.empty();
        if (!answer.empty() && !has(answer, "would pass its total")) {
          return 99;
        }
      }
      return granted;
    }));
  }
  close(ends[0]);
  close(ends[1]);
  int granted = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_NE(WEXITSTATUS(status), 99);
    granted += WEXITSTATUS(status);
  }
  EXPECT_EQ(granted, 10);
  EXPECT_EQ(ledger(path_).read().entries.size(), 10u);
}

TEST_F(LedgerTest, threads_at_once_get_no_more_than_the_total) {
  make(1, 1e-5);
  std::atomic<int> granted{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int run = 0; run < 5; ++run) {
        granted
            += refusal([&] { ledger(path_).charge(entry(0.1, 0)); }).empty();
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(granted, 10);
}

// Children enter runs and tell their numbers once `charge` has returned. Each
// is killed at a random time after it told none, one or two of them: within
// twice as long as one entry took on this disk. What was told has to be there,
// in a file that can be read, and at most one run more for each child.
TEST_F(LedgerTest, no_entry_is_lost_when_processes_are_killed) {
  make(1e6, 0.5);
  seeded_random bits(1);
  const auto start = std::chrono::steady_clock::now();
  ledger(path_).charge(entry(0.1, 0));
  ledger(path_).charge(entry(0.1, 0));
  const std::chrono::duration<double, std::micro> longest
      = std::chrono::steady_clock::now() - start;
  std::set<std::string> told{entry(0.1, 0).run};
  const int kills = 60;
  for (int kill_number = 0; kill_number < kills; ++kill_number) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = in_child([&] {
      for (int run = 0;; ++run) {
        ledger_entry e = entry(0.1, 0);
        e.run = std::to_string(kill_number) + " " + std::to_string(run) + "\n";
        ledger(path_).charge(e);
        if (write(ends[1], e.run.data(), e.run.size()) < 0) {
          return 1;
        }
      }
    });
    close(ends[1]);
    std::string text;
    const auto read_line = [&] {
      char c = 0;
      while (c != '\n' && read(ends[0], &c, 1) == 1) {
        text += c;
      }
      return c == '\n';
    };
    for (std::uint64_t runs = uniform_below(bits, 3); runs > 0; --runs) {
      ASSERT_TRUE(read_line());
    }
    usleep(static_cast<useconds_t>(longest.count() * uniform(bits)));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    while (read_line()) {
    }
    close(ends[0]);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      told.insert(line + "\n");
    }
    std::set<std::string> entered;
    for (const ledger_entry& e : ledger(path_).read().entries) {
      entered.insert(e.run);
    }
    for (const std::string& run : told) {
      ASSERT_TRUE(entered.count(run)) << run;
    }
    ASSERT_LE(entered.size(), told.size() + kill_number + 1);
  }
  EXPECT_GT(told.size(), 20u);  // 60 are told before a kill, on average
}
