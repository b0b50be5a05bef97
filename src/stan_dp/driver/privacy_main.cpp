#include <stan_dp/driver/privacy_tool.hpp>

#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  return stan_dp::privacy_tool(words, std::cin, std::cout, std::cerr);
}
