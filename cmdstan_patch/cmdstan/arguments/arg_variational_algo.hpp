#ifndef STAN_DP_CMDSTAN_ARG_VARIATIONAL_ALGO_HPP
#define STAN_DP_CMDSTAN_ARG_VARIATIONAL_ALGO_HPP

// CmdStan's own class under another name, and one with its name that adds the
// private algorithms to it.
#define arg_variational_algo arg_variational_algo_of_cmdstan
#include_next <cmdstan/arguments/arg_variational_algo.hpp>
#undef arg_variational_algo

#include <dp_arguments.hpp>

namespace cmdstan {

class arg_variational_algo : public arg_variational_algo_of_cmdstan {
 public:
  arg_variational_algo() { add_dp_algorithms(_values, "variational"); }
};

}  // namespace cmdstan
#endif
