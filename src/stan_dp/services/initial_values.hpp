#ifndef STAN_DP_SERVICES_INITIAL_VALUES_HPP
#define STAN_DP_SERVICES_INITIAL_VALUES_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/services/check_settings.hpp>
#include <stan_dp/services/model_prior.hpp>
#include <stan/io/chained_var_context.hpp>
#include <stan/io/random_var_context.hpp>
#include <stan/io/var_context.hpp>
#include <stan/services/util/create_rng.hpp>
#include <Eigen/Core>
#include <cmath>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

namespace stan_dp {

namespace internal {

/** Which of the model's parameters a context gives. */
struct given_inits {
  bool all = true;
  bool any = false;
};

inline given_inits find_inits(const stan::model::model_base& model,
                              const stan::io::var_context& init) {
  std::vector<std::string> names;
  model.get_param_names(names, false, false);
  given_inits given;
  for (const std::string& name : names) {
    const bool here = init.contains_r(name);
    given.all = given.all && here;
    given.any = given.any || here;
  }
  return given;
}

}  // namespace internal

/**
 * A starting point from the user's values or uniform in `(-radius, radius)`,
 * judged by the prior model alone: rows are not looked at, so neither the point
 * nor the number of tries says anything about them. What the user gives is
 * taken to be public.
 *
 * The random seed may be used here: it is printed, and so is the point.
 *
 * @throws invalid_setting if no point is in the support of the prior
 */
inline Eigen::VectorXd initial_values(stan::model::model_base& model,
                                      const stan::io::var_context& init,
                                      stan::rng_t& rng, double radius) {
  const internal::given_inits given = internal::find_inits(model, init);
  const int tries = given.all || radius == 0 ? 1 : 100;
  const model_prior prior(model);
  std::string reason = "the log prior is not finite, or its gradient is not";
  for (int attempt = 0; attempt < tries; ++attempt) {
    try {
      stan::io::random_var_context random(model, rng, radius, radius == 0);
      std::vector<double> theta = random.get_unconstrained();
      if (given.any) {
        stan::io::chained_var_context both(init, random);
        std::vector<int> integers;
        model.transform_inits(both, integers, theta, nullptr);
      }
      const Eigen::VectorXd point
          = Eigen::Map<Eigen::VectorXd>(theta.data(), theta.size());
      Eigen::VectorXd gradient;
      if (point.allFinite()
          && std::isfinite(prior.log_density(point, gradient))) {
        return point;
      }
    } catch (const std::exception& e) {
      reason = e.what();
    }
  }
  std::ostringstream message;
  message << "No initial value was found in " << tries << " tries (" << reason
          << "): give init values that the prior allows.";
  throw invalid_setting(message.str());
}

}  // namespace stan_dp
#endif
