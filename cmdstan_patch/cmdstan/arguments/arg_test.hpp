#ifndef STAN_DP_CMDSTAN_ARG_TEST_HPP
#define STAN_DP_CMDSTAN_ARG_TEST_HPP

// CmdStan's own class under another name, and one with its name that adds a
// test to it.
#define arg_test arg_test_of_cmdstan
#include_next <cmdstan/arguments/arg_test.hpp>
#undef arg_test

#include <dp_arguments.hpp>

namespace cmdstan {

class arg_test : public arg_test_of_cmdstan {
 public:
  arg_test() {
    _values.push_back(new dp_group("row_product", stan_dp::row_product_help(),
                                   stan_dp::row_product_options()));
  }
};

}  // namespace cmdstan
#endif
