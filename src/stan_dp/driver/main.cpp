#include <stan/model/model_header.hpp>
#include <stan_dp/driver/arguments.hpp>
#include <stan_dp/driver/config.hpp>
#include <stan_dp/driver/run_dp.hpp>
#include <stan_dp/driver/signals.hpp>
#include <stan_dp/driver/stan_methods.hpp>
#include <stan_dp/driver/terminal_logger.hpp>
#include <chrono>
#include <iostream>

// Every compiled Stan program defines these.
stan::model::model_base& new_model(stan::io::var_context& data,
                                   unsigned int seed, std::ostream* messages);
stan::math::profile_map& get_stan_profile_data();

namespace stan_dp {
namespace {

unsigned int clock_seed() {
  using namespace std::chrono;
  return static_cast<unsigned int>(
      duration_cast<milliseconds>(system_clock::now().time_since_epoch())
          .count());
}

/** CmdStan has more methods; say where they are. */
void point_to_cmdstan(const std::vector<std::string>& words) {
  for (const auto& word : words) {
    for (const char* method :
         {"optimize", "pathfinder", "log_prob", "laplace"}) {
      if (word == method || word == std::string("method=") + method) {
        std::cerr << "The stand-alone driver has no " << method
                  << ": build the model with a CmdStan for it, "
                     "CMDSTAN=/path make path/to/model.\n";
      }
    }
  }
}

void start_threads(const argument_tree& arguments) {
  int asked = arguments.integer("num_threads");
  int environment = stan::math::internal::get_num_threads();
  if (environment != 1 && environment != asked) {
    throw std::invalid_argument(
        "STAN_NUM_THREADS= " + std::to_string(environment)
        + " but argument num_threads= " + std::to_string(asked)
        + ". Please either only set one or make sure they are equal.");
  }
  stan::math::init_threadpool_tbb(asked);
}

unsigned int count_chains(const argument_tree& a) {
  const std::string method = a.text("method");
  if (method == "generate_quantities") {
    return a.natural("method generate_quantities num_chains");
  }
  if (method != "sample") {
    return 1;
  }
  unsigned int chains = a.natural("method sample num_chains");
  const argument* engine = a.find("method sample algorithm hmc engine");
  if (chains > 1 && engine != nullptr && engine->shown() == "static") {
    throw std::invalid_argument(
        "Argument 'num_chains' is unavailable for the 'static' HMC engine.");
  }
  return chains;
}

bool same_file(const std::string& a, const std::string& b) {
  return std::filesystem::weakly_canonical(a)
         == std::filesystem::weakly_canonical(b);
}

void check_files(const argument_tree& a) {
  require_file_name(a.text("output file"));
  require_file_name(a.text("output diagnostic_file"));
  const argument* fit = a.find("method generate_quantities fitted_params");
  if (fit != nullptr && !fit->value.empty()
      && same_file(fit->value, a.text("output file"))) {
    throw std::invalid_argument(
        "Filename conflict, fitted_params file " + fit->value
        + " and output file names are identical, must be different.");
  }
}

method_inputs read_inputs(const argument_tree& a, unsigned int num_chains) {
  auto [radius, file] = read_init(a.text("init"));
  unsigned int id = a.natural("id");
  unsigned int seed
      = static_cast<unsigned int>(std::stoul(a.at("random seed").shown()));
  return {seed, id, num_chains, radius, read_contexts(file, num_chains, id)};
}

std::vector<csv_writer> open_csv(const argument_tree& a,
                                 const std::string& file,
                                 const method_inputs& in) {
  std::vector<csv_writer> writers;
  for (const auto& name : chain_files(file, "", ".csv", in.num_chains, in.id)) {
    writers.emplace_back(name, a.integer("output sig_figs"));
  }
  return writers;
}

/** JSON files of adapted metrics: open from the start, written at the end. */
class metric_files {
 public:
  metric_files(const argument_tree& a, const method_inputs& in) {
    const argument* save = a.find("method sample adapt save_metric");
    if (save == nullptr || save->value != "true") {
      return;
    }
    if (!a.truth("method sample adapt engaged")) {
      throw std::invalid_argument(
          "Saving the adapted metric (save_metric=1) can only be enabled when "
          "adaptation is engaged (adapt engaged=1)");
    }
    int digits = a.integer("output sig_figs");
    for (const auto& name : chain_files(a.text("output file"), "_metric",
                                        ".json", in.num_chains, in.id)) {
      files_.emplace_back(name);
      texts_.push_back(std::make_unique<std::ostringstream>());
      if (digits >= 0) {
        texts_.back()->precision(digits);
      }
    }
  }

  std::vector<metric_writer> writers(unsigned int num_chains) {
    std::vector<metric_writer> writers;
    for (unsigned int i = 0; i < num_chains; ++i) {
      std::ostream* text = i < texts_.size() ? texts_[i].get() : nullptr;
      writers.emplace_back(std::unique_ptr<std::ostream, not_owned>(text));
    }
    return writers;
  }

  void write() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      files_[i].append(texts_[i]->str());
    }
  }

 private:
  std::vector<output_file> files_;
  std::vector<std::unique_ptr<std::ostringstream>> texts_;
};

void save_config(const argument_tree& a, const stan::model::model_base& model) {
  if (!a.truth("output save_cmdstan_config")) {
    return;
  }
  output_file file(split_suffix(a.text("output file")).first + "_config.json");
  std::ostringstream text;
  int digits = a.integer("output sig_figs");
  if (digits >= 0) {
    text.precision(digits);
  }
  stan::callbacks::json_writer<std::ostream, not_owned> json(
      std::unique_ptr<std::ostream, not_owned>{&text});
  write_json_config(json, a, model);
  file.append(text.str());
}

void save_profile(const argument_tree& a) {
  auto& profile = get_stan_profile_data();
  if (profile.empty()) {
    return;
  }
  std::ostringstream text;
  int digits = a.integer("output sig_figs");
  if (digits >= 0) {
    text.precision(digits);
  }
  text << "name,thread_id,total_time,forward_time,reverse_time,chain_stack,"
          "no_chain_stack,autodiff_calls,no_autodiff_calls\n";
  for (auto& [key, p] : profile) {
    text << key.first << "," << key.second << ","
         << p.get_fwd_time() + p.get_rev_time() << "," << p.get_fwd_time()
         << "," << p.get_rev_time() << "," << p.get_chain_stack_used() << ","
         << p.get_nochain_stack_used() << "," << p.get_num_rev_passes() << ","
         << p.get_num_no_AD_fwd_passes() << "\n";
  }
  output_file(a.text("output profile_file")).append(text.str());
}

int run_stan(const argument_tree& a, unsigned int num_chains) {
  method_inputs in = read_inputs(a, num_chains);
  context_pointer data = read_context(a.text("data file"));
  std::unique_ptr<stan::model::model_base> model(
      &new_model(*data, in.seed, &std::cout));
  method_outputs out;
  out.draws = open_csv(a, a.text("output file"), in);
  const std::string diagnostic = a.text("output diagnostic_file");
  if (diagnostic.empty()) {
    out.diagnostics.resize(num_chains);
  } else {
    out.diagnostics = open_csv(a, diagnostic, in);
  }
  metric_files metrics(a, in);
  out.metrics = metrics.writers(num_chains);
  save_config(a, *model);
  for (unsigned int i = 0; i < num_chains; ++i) {
    write_config(out.draws[i], a, *model);
    write_diagnostic_config(out.diagnostics[i], a, *model);
  }
  const argument* fit = a.find("method generate_quantities fitted_params");
  if (fit != nullptr) {
    warn_of_private_fit(fit->value);
  }
  signal_interrupt interrupt;
  terminal_logger logger;
  int code = run_stan_method(a, *model, in, interrupt, logger, out);
  metrics.write();
  save_profile(a);
  return code;
}

option_values read_values(const argument_tree& a, const std::string& path,
                          const std::vector<option>& table) {
  option_values values(table);
  for (const auto& o : table) {
    values.set(o, a.text(path + " " + o.name));
  }
  return values;
}

variational_arguments read_variational(const argument_tree& a,
                                       const std::vector<std::string>& words) {
  const std::string v = "method variational ";
  return {a.integer(v + "iter"),
          a.integer(v + "grad_samples"),
          a.integer(v + "elbo_samples"),
          a.real(v + "eta"),
          is_given(words, "adapt", "engaged") && a.truth(v + "adapt engaged"),
          a.integer(v + "adapt iter"),
          a.real(v + "tol_rel_obj"),
          a.integer(v + "eval_elbo"),
          a.integer(v + "output_samples")};
}

void read_sample(const argument_tree& a, const std::vector<std::string>& words,
                 dp_request& request) {
  const std::string s = "method sample ";
  request.sample.num_samples = a.integer(s + "num_samples");
  request.sample.num_warmup = a.integer(s + "num_warmup");
  request.sample.save_warmup = a.truth(s + "save_warmup");
  request.sample.thin = a.integer(s + "thin");
  request.sample.num_chains = a.integer(s + "num_chains");
  const std::string adapt = s + "adapt ";
  request.adapt = {a.truth(adapt + "engaged"),
                   a.real(adapt + "gamma"),
                   dp_target_acceptance(a.real(adapt + "delta"), words),
                   a.real(adapt + "kappa"),
                   a.real(adapt + "t0"),
                   a.natural(adapt + "init_buffer"),
                   a.natural(adapt + "term_buffer"),
                   a.natural(adapt + "window")};
}

dp_request read_dp_request(const argument_tree& a,
                           const dp_algorithm& algorithm,
                           const std::vector<std::string>& words) {
  const std::string path
      = "method " + algorithm.method + " algorithm " + algorithm.name;
  dp_request request;
  request.algorithm = algorithm.name;
  request.privacy
      = read_privacy(read_values(a, path + " privacy", privacy_options()));
  request.settings = read_algorithm(
      algorithm.name, read_values(a, path, algorithm.options), request.privacy);
  if (algorithm.method == "variational") {
    add_variational_arguments(read_variational(a, words), request);
  } else {
    read_sample(a, words, request);
  }
  request.sample.refresh = a.integer("output refresh");
  const argument* save = a.find("method sample adapt save_metric");
  check_dp_request(request, a.text("output diagnostic_file"),
                   save != nullptr && save->value == "true");
  return request;
}

/** The full-data model is never built here. */
int run_private(const argument_tree& a, const dp_algorithm& algorithm,
                unsigned int num_chains,
                const std::vector<std::string>& words) {
  dp_request request = read_dp_request(a, algorithm, words);
  method_inputs in = read_inputs(a, num_chains);
  request.sample.id = in.id;
  request.sample.seed = in.seed;
  request.sample.init_radius = in.init_radius;
  std::vector<csv_writer> files = open_csv(a, a.text("output file"), in);
  signal_interrupt interrupt;
  terminal_logger logger;
  dp_front_end front{
      new_model, a.text("data file"), in.inits, interrupt, logger, files, {}};
  front.write_config = [&a](stan::callbacks::writer& out,
                            const stan::model::model_base& prior) {
    save_config(a, prior);
    write_config(out, a, prior);
  };
  return run_dp(request, front);
}

int run_row_product(const argument_tree& a) {
  const std::string path = "method diagnose test row_product";
  option_values v = read_values(a, path, row_product_options());
  terminal_logger logger;
  return run_row_product(
      a.text("data file"),
      {v.text("rows"), v.text("unit"), internal::split_names(v.text("public"))},
      new_model, logger);
}

const dp_algorithm* chosen_dp_algorithm(const argument_tree& a) {
  const argument* algorithm
      = a.find("method " + a.text("method") + " algorithm");
  return algorithm == nullptr ? nullptr : find_dp_algorithm(algorithm->shown());
}

int run_method(const argument_tree& a, const std::vector<std::string>& words) {
  start_threads(a);
  unsigned int num_chains = count_chains(a);
  check_files(a);
  a.print([](const std::string& line) { std::cout << line << "\n"; });
  std::cout << std::endl;
  if (const dp_algorithm* algorithm = chosen_dp_algorithm(a)) {
    return run_private(a, *algorithm, num_chains, words);
  }
  if (a.find("method diagnose test row_product") != nullptr) {
    return run_row_product(a);
  }
  return run_stan(a, num_chains);
}

int run_command(const std::vector<std::string>& words) {
  argument_tree arguments(
      driver_arguments(stan::math::internal::get_num_threads(), clock_seed()),
      driver_info());
  switch (arguments.parse(words, std::cout, std::cerr)) {
    case parse_result::helped:
      return 0;
    case parse_result::refused:
      if (words.size() > 1) {
        point_to_cmdstan(words);
        std::cerr << "Failed to parse command arguments, cannot run model.\n";
      }
      return 1;
    default:
      return run_method(arguments, words) == 0 ? 0 : 1;
  }
}

}  // namespace
}  // namespace stan_dp

int main(int argc, char* argv[]) {
  stan_dp::catch_signals();
  try {
    return stan_dp::run_command(std::vector<std::string>(argv, argv + argc));
  } catch (const stan_dp::interrupted& e) {
    std::cerr << "Interrupted; the output ends after the last whole line.\n";
    return 128 + e.signal;
  } catch (const std::exception& e) {
    std::cerr << e.what() << std::endl;
    return 1;
  }
}
