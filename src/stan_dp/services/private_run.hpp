#ifndef STAN_DP_SERVICES_PRIVATE_RUN_HPP
#define STAN_DP_SERVICES_PRIVATE_RUN_HPP

#include <stan/model/model_base.hpp>
#include <stan_dp/privacy/plan.hpp>
#include <stan_dp/rows/unit_likelihood.hpp>
#include <stan_dp/services/settings.hpp>
#include <stan/callbacks/interrupt.hpp>
#include <stan/callbacks/logger.hpp>
#include <stan/callbacks/writer.hpp>
#include <stan/io/var_context.hpp>
#include <functional>
#include <string>
#include <vector>

namespace stan_dp {

/** What every private service is given: the model, the units, the budget. */
struct private_run {
  /** built with no rows: prior, draws and generated quantities come from it */
  stan::model::model_base& prior_model;
  const unit_likelihood& units;
  privacy_settings privacy;
  /** data variables with a row axis, for the report */
  std::vector<std::string> protected_names;
  /**
   * Called once, after the plan is made and before the first query, with the
   * plan and its epsilon; the place of the ledger. Gives a sentence about the
   * balance, or throws to refuse. May be empty.
   */
  std::function<std::string(const plan&, double epsilon)> reserve;
};

/** Stan's callbacks for all chains; a writer for each. */
struct run_callbacks {
  stan::callbacks::interrupt& interrupt;
  stan::callbacks::logger& logger;
  std::vector<stan::callbacks::writer*> init;
  std::vector<stan::callbacks::writer*> sample;
  std::vector<stan::callbacks::writer*> diagnostic;
};

/** One context for each chain. */
using chain_contexts = std::vector<const stan::io::var_context*>;

/** Pointers to the elements: Stan's services take vectors of writers. */
template <class Writer>
std::vector<stan::callbacks::writer*> writer_pointers(
    std::vector<Writer>& writers) {
  std::vector<stan::callbacks::writer*> pointers;
  for (Writer& writer : writers) {
    pointers.push_back(&writer);
  }
  return pointers;
}

/** Contexts behind any kind of pointer. */
template <class ContextPtr>
chain_contexts context_pointers(const std::vector<ContextPtr>& contexts) {
  chain_contexts pointers;
  for (const ContextPtr& context : contexts) {
    pointers.push_back(&*context);
  }
  return pointers;
}

}  // namespace stan_dp
#endif
