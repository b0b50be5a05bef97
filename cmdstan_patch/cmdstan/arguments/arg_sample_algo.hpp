#ifndef STAN_DP_CMDSTAN_ARG_SAMPLE_ALGO_HPP
#define STAN_DP_CMDSTAN_ARG_SAMPLE_ALGO_HPP

// CmdStan's own class under another name, and one with its name that adds the
// private algorithms to it.
#define arg_sample_algo arg_sample_algo_of_cmdstan
#include_next <cmdstan/arguments/arg_sample_algo.hpp>
#undef arg_sample_algo

#include <dp_arguments.hpp>

namespace cmdstan {

class arg_sample_algo : public arg_sample_algo_of_cmdstan {
 public:
  arg_sample_algo() { add_dp_algorithms(_values, "sample"); }
};

}  // namespace cmdstan
#endif
