#include <stan_dp/driver/comparison.hpp>
#include <stan_dp/driver/density_plot.hpp>
#include <stan_dp/driver/draws_file.hpp>
#include <stan_dp/driver/output_file.hpp>
#include <glob.h>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

/** @file
 * bin/compare: the draws of a private run beside those of NUTS.
 */
namespace stan_dp {
namespace {

const char* usage
    = "Usage: compare nuts.csv dp.csv [plot=out.svg]\n"
      "\n"
      "Compares the draws of a private run with those of NUTS: for each\n"
      "parameter mean, sd and quantiles of both, the difference of the means\n"
      "in sds of NUTS, the ratio of the sds; and the maximum mean "
      "discrepancy.\n"
      "\n"
      "Several chains: with commas, as a pattern in quotes, or with against=\n"
      "  compare nuts_1.csv,nuts_2.csv dp_1.csv,dp_2.csv\n"
      "  compare 'nuts_*.csv' 'dp_*.csv'\n"
      "  compare nuts_*.csv against='dp_*.csv'\n"
      "plot=out.svg draws the marginal densities of both, overlaid.\n";

struct compare_request {
  std::vector<std::string> reference;
  std::vector<std::string> candidate;
  std::string plot;
};

/** Files of a word such as `a.csv,b.csv` or `a_*.csv`. */
std::vector<std::string> expand(const std::string& word) {
  std::vector<std::string> files;
  for (const auto& part : internal::split_commas(word)) {
    glob_t found;
    if (part.find('*') != std::string::npos
        && glob(part.c_str(), 0, nullptr, &found) == 0) {
      files.insert(files.end(), found.gl_pathv,
                   found.gl_pathv + found.gl_pathc);
      globfree(&found);
    } else {
      files.push_back(part);
    }
  }
  return files;
}

void append(std::vector<std::string>& to,
            const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

compare_request read_words(const std::vector<std::string>& words) {
  compare_request r;
  std::vector<std::string> plain;
  for (const auto& word : words) {
    if (word.rfind("plot=", 0) == 0) {
      r.plot = word.substr(5);
      if (r.plot.empty()) {
        throw std::runtime_error(
            "plot= needs the name of a file to write, "
            "such as plot=out.svg.");
      }
    } else if (word.rfind("against=", 0) == 0) {
      append(r.candidate, expand(word.substr(8)));
    } else {
      plain.push_back(word);
    }
  }
  if (r.candidate.empty()) {
    if (plain.size() != 2) {
      throw std::runtime_error(
          plain.size() < 2
              ? "compare needs two runs: compare nuts.csv dp.csv."
              : "compare cannot tell which of "
                    + std::to_string(plain.size())
                    + " files are the private run: put patterns in quotes, "
                      "compare 'nuts_*.csv' 'dp_*.csv', or name it with "
                      "against=.");
    }
    r.candidate = expand(plain[1]);
    plain.pop_back();
  }
  for (const auto& word : plain) {
    append(r.reference, expand(word));
  }
  if (r.reference.empty() || r.candidate.empty()) {
    throw std::runtime_error(
        "compare needs two runs: compare nuts.csv dp.csv.");
  }
  return r;
}

std::string config_text(const draws& d, const std::string& name) {
  auto it = d.config.find(name);
  return it == d.config.end() ? "" : it->second;
}

/** The algorithm, and what it cost. */
std::string label(const draws& d) {
  std::string name = config_text(d, "algorithm");
  if (name == "hmc") {
    name = config_text(d, "engine") == "nuts" ? "NUTS" : "static HMC";
  }
  bool isprivate = !config_text(d, "epsilon").empty();
  if (d.config.count("optimizer") == 1) {
    name = "dp_" + name;
  } else if (name == "meanfield" || name == "fullrank") {
    name = "ADVI " + name;
  }
  if (isprivate) {
    name += " (epsilon " + config_text(d, "epsilon") + ", delta "
            + config_text(d, "delta") + ")";
  }
  if (d.not_private) {
    name += ", NOT PRIVATE";
  }
  return name.empty() ? "unknown" : name;
}

std::pair<std::string, std::string> labels(const compare_request& r,
                                           const draws& a, const draws& b) {
  std::string first = label(a);
  std::string second = label(b);
  if (first == second) {
    first += ": " + r.reference.front();
    second += ": " + r.candidate.front();
  }
  return {first, second};
}

void print_row(const char* name, std::size_t width, char run,
               const marginal& m) {
  std::printf("%-*s  %c %10.4g %10.4g %10.4g %10.4g %10.4g",
              static_cast<int>(width), name, run, m.mean, m.sd, m.q05, m.q50,
              m.q95);
}

void print_table(const comparison& c) {
  std::size_t width = 9;
  for (const auto& p : c.parameters) {
    width = std::max(width, p.name.size());
  }
  std::printf("%-*s    %10s %10s %10s %10s %10s %10s %10s\n",
              static_cast<int>(width), "", "mean", "sd", "5%", "50%", "95%",
              "shift/sd", "sd ratio");
  for (const auto& p : c.parameters) {
    print_row(p.name.c_str(), width, 'A', p.reference);
    std::printf("\n");
    print_row("", width, 'B', p.candidate);
    std::printf(" %10.3f %10.3f\n", p.shift, p.sd_ratio);
  }
}

void print_names(const std::string& what,
                 const std::vector<std::string>& names) {
  if (names.empty()) {
    return;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 8); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > 8) {
    text += ", and " + std::to_string(names.size() - 8) + " more";
  }
  std::cout << what << text << "\n";
}

std::string mmd_text(const comparison& c) {
  char text[200];
  std::snprintf(text, sizeof text,
                "MMD %.4g (the reference's own halves: %.4g), kernel width "
                "%.4g, from %zu and %zu draws",
                c.mmd, c.mmd_of_halves, c.kernel_width, c.reference_points,
                c.candidate_points);
  return text;
}

void run_compare(const std::vector<std::string>& words) {
  compare_request r = read_words(words);
  draws a = read_draws(r.reference);
  draws b = read_draws(r.candidate);
  comparison c = compare_draws(a, b);
  auto [first, second] = labels(r, a, b);
  std::cout << "A  " << first << ": " << a.size() << " draws, "
            << r.reference.size() << " file(s)\n"
            << "B  " << second << ": " << b.size() << " draws, "
            << r.candidate.size() << " file(s)\n\n";
  std::cout.flush();
  print_table(c);
  std::fflush(stdout);
  std::cout << "\nshift/sd: difference of the means in sds of A; sd ratio: sd "
               "of B over sd of A\n"
            << mmd_text(c) << "\n";
  print_names("Only in A: ", c.only_reference);
  print_names("Only in B: ", c.only_candidate);
  print_names("Left out, constant or not finite: ", c.left_out);
  if (!r.plot.empty()) {
    std::string model = config_text(a, "model");
    output_file(r.plot).append(
        density_plot(c, a, b, {model, first, second, mmd_text(c)}));
    std::cout << "Plot: " << r.plot;
    if (c.parameters.size() > largest_plot) {
      std::cout << " (the first " << largest_plot << " of "
                << c.parameters.size() << " parameters)";
    }
    std::cout << "\n";
  }
}

}  // namespace
}  // namespace stan_dp

int main(int argc, char* argv[]) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "help" || words[0] == "--help") {
    std::cout << stan_dp::usage;
    return words.empty() ? 1 : 0;
  }
  try {
    stan_dp::run_compare(words);
    return 0;
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
