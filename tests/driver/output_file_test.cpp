#include <stan_dp/driver/output_file.hpp>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>

using namespace stan_dp;

namespace {

std::string content(const std::string& name) {
  std::ifstream in(name);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(OutputFile, chains_are_numbered_from_the_id) {
  using names = std::vector<std::string>;
  EXPECT_EQ(chain_files("a/b.csv", "", ".csv", 1, 1), names{"a/b.csv"});
  EXPECT_EQ(chain_files("b.csv", "", ".csv", 2, 3),
            (names{"b_3.csv", "b_4.csv"}));
  EXPECT_EQ(chain_files("b", "", ".csv", 1, 1), names{"b.csv"});
  EXPECT_EQ(chain_files("b.txt", "", ".csv", 1, 1), names{"b.txt"});
  EXPECT_EQ(chain_files("b.csv", "_metric", ".json", 2, 1),
            (names{"b_metric_1.json", "b_metric_2.json"}));
}

TEST(OutputFile, a_directory_is_not_a_file_name) {
  for (const char* name : {"a/", "..", "a/..", "a/."}) {
    EXPECT_EQ(message_of([&] { require_file_name(name); }),
              std::string("Ill-formed output filename ") + name);
  }
  require_file_name("a/b.csv");
}

TEST(OutputFile, what_cannot_be_opened_is_an_error_at_once) {
  EXPECT_EQ(message_of([] { output_file("/no/such/directory/a.csv"); }),
            "Can't open output file, \"/no/such/directory/a.csv\": No such "
            "file or directory.");
}

TEST(OutputFile, a_full_disk_is_an_error) {
  output_file full("/dev/full");
  EXPECT_EQ(message_of([&] { full.append("x\n"); }),
            "Can't write to output file, \"/dev/full\": No space left on "
            "device.");
}

TEST(OutputFile, a_line_that_does_not_fit_is_taken_back) {
  // A limit of 10 bytes stands for the end of the disk.
  std::string name = testing::TempDir() + "limited.csv";
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  {
    output_file file(name);
    rlimit ten{10, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &ten);
    file.append("1,2,3\n");
    EXPECT_NE(message_of([&] { file.append("4,5,6,7\n"); }), "");
    setrlimit(RLIMIT_FSIZE, &before);
  }
  EXPECT_EQ(content(name), "1,2,3\n");
  std::filesystem::remove(name);
}
