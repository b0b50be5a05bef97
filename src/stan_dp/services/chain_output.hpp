#ifndef STAN_DP_SERVICES_CHAIN_OUTPUT_HPP
#define STAN_DP_SERVICES_CHAIN_OUTPUT_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/services/draw_values.hpp>
#include <stan/callbacks/writer.hpp>
#include <Eigen/Core>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace stan_dp {

/**
 * Writes one chain: what a CmdStan CSV holds below its configuration.
 *
 * All it is given is released or public. `lp__` is the log prior; the elapsed
 * time, in which the sizes of subsamples would show, is not written.
 */
class chain_output {
 public:
  chain_output(const stan::model::model_base& prior_model, stan::rng_t rng,
               stan::callbacks::writer& sample,
               stan::callbacks::writer& diagnostic)
      : draws_(prior_model, std::move(rng)),
        sample_(sample),
        diagnostic_(diagnostic) {
    prior_model.unconstrained_param_names(unconstrained_, false, false);
  }

  void header(const std::vector<std::string>& privacy_lines,
              const std::vector<std::string>& columns) {
    for (const std::string& line : privacy_lines) {
      sample_(line);
      diagnostic_(line);
    }
    std::vector<std::string> names{"lp__"};
    names.insert(names.end(), columns.begin(), columns.end());
    std::vector<std::string> unconstrained = names;
    names.insert(names.end(), draws_.names().begin(), draws_.names().end());
    sample_(names);
    unconstrained.insert(unconstrained.end(), unconstrained_.begin(),
                         unconstrained_.end());
    diagnostic_(unconstrained);
  }

  void adaptation(double stepsize, const Eigen::VectorXd& inverse_metric) {
    std::ostringstream step, metric;
    step << "Step size = " << stepsize;
    for (Eigen::Index j = 0; j < inverse_metric.size(); ++j) {
      metric << (j > 0 ? ", " : "") << inverse_metric(j);
    }
    for (stan::callbacks::writer* writer : {&sample_, &diagnostic_}) {
      (*writer)("Adaptation terminated");
      (*writer)(step.str());
      (*writer)("Diagonal elements of inverse mass matrix:");
      (*writer)(metric.str());
    }
  }

  void draw(double log_prior, const std::vector<double>& columns,
            const Eigen::VectorXd& theta) {
    std::vector<double> row{log_prior};
    row.insert(row.end(), columns.begin(), columns.end());
    std::vector<double> unconstrained = row;
    unconstrained.insert(unconstrained.end(), theta.data(),
                         theta.data() + theta.size());
    draws_.append(theta, row);
    sample_(row);
    diagnostic_(unconstrained);
  }

  void footer(const std::vector<std::string>& privacy_lines) {
    for (stan::callbacks::writer* writer : {&sample_, &diagnostic_}) {
      (*writer)();
      (*writer)(" Elapsed Time: not written (differential privacy)");
      for (const std::string& line : privacy_lines) {
        (*writer)(line);
      }
      (*writer)();
    }
  }

 private:
  draw_values draws_;
  stan::callbacks::writer& sample_;
  stan::callbacks::writer& diagnostic_;
  std::vector<std::string> unconstrained_;
};

}  // namespace stan_dp
#endif
