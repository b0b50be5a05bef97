#include <cmdstan/command.hpp>
#include <stan_dp/driver/csv_writer.hpp>
#include <stan_dp/driver/run_dp.hpp>
#include <stan_dp/driver/signals.hpp>
#include <stan_dp/driver/terminal_logger.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

/** @file
 * CmdStan's main with the private algorithms: what CmdStan can do, it does; a
 * private algorithm goes to the services that the stand-alone driver calls too.
 */
namespace {

using cmdstan::bool_argument;
using cmdstan::get_arg_val;
using cmdstan::int_argument;
using cmdstan::real_argument;
using cmdstan::string_argument;
using cmdstan::u_int_argument;

/** CmdStan's arguments and its parser; `command` makes its own again. */
struct command_line {
  std::vector<cmdstan::argument*> arguments{
      new cmdstan::arg_id(),     new cmdstan::arg_data(),
      new cmdstan::arg_init(),   new cmdstan::arg_random(),
      new cmdstan::arg_output(), new cmdstan::arg_num_threads()};
  cmdstan::argument_parser parser{arguments};

  ~command_line() {
    for (auto* a : arguments) {
      delete a;
    }
  }
};

/** The value of a list argument below a method, or nothing. */
std::string chosen(cmdstan::argument_parser& parser, const std::string& method,
                   const std::string& list) {
  auto* m = parser.arg("method")->arg(method);
  auto* a = m == nullptr ? nullptr : m->arg(list);
  auto* l = dynamic_cast<cmdstan::list_argument*>(a);
  return l == nullptr ? "" : l->value();
}

const stan_dp::dp_algorithm* chosen_dp_algorithm(
    cmdstan::argument_parser& parser) {
  for (const char* method : {"sample", "variational"}) {
    auto* algorithm
        = stan_dp::find_dp_algorithm(chosen(parser, method, "algorithm"));
    if (algorithm != nullptr) {
      return algorithm;
    }
  }
  return nullptr;
}

void start_threads(cmdstan::argument_parser& parser) {
  int asked = get_arg_val<int_argument>(parser, "num_threads");
  int environment = stan::math::internal::get_num_threads();
  if (environment != 1 && environment != asked) {
    throw std::invalid_argument(
        "STAN_NUM_THREADS= " + std::to_string(environment)
        + " but argument num_threads= " + std::to_string(asked)
        + ". Please either only set one or make sure they are equal.");
  }
  stan::math::init_threadpool_tbb(asked);
}

/** What `command` does before it builds a model. */
void begin_run(cmdstan::argument_parser& parser) {
  start_threads(parser);
  cmdstan::check_file_config(parser);
  stan::callbacks::stream_writer info(std::cout);
  parser.print(info);
  info();
}

void read_sample(cmdstan::argument_parser& p,
                 const std::vector<std::string>& words,
                 stan_dp::dp_request& request) {
  auto& s = request.sample;
  s.num_samples
      = get_arg_val<int_argument>(p, "method", "sample", "num_samples");
  s.num_warmup = get_arg_val<int_argument>(p, "method", "sample", "num_warmup");
  s.save_warmup
      = get_arg_val<bool_argument>(p, "method", "sample", "save_warmup");
  s.thin = get_arg_val<int_argument>(p, "method", "sample", "thin");
  s.num_chains = get_arg_val<int_argument>(p, "method", "sample", "num_chains");
  auto& adapt = *p.arg("method")->arg("sample")->arg("adapt");
  request.adapt = {get_arg_val<bool_argument>(adapt, "engaged"),
                   get_arg_val<real_argument>(adapt, "gamma"),
                   stan_dp::dp_target_acceptance(
                       get_arg_val<real_argument>(adapt, "delta"), words),
                   get_arg_val<real_argument>(adapt, "kappa"),
                   get_arg_val<real_argument>(adapt, "t0"),
                   get_arg_val<u_int_argument>(adapt, "init_buffer"),
                   get_arg_val<u_int_argument>(adapt, "term_buffer"),
                   get_arg_val<u_int_argument>(adapt, "window")};
}

stan_dp::variational_arguments read_variational(
    cmdstan::argument_parser& p, const std::vector<std::string>& words) {
  auto& v = *p.arg("method")->arg("variational");
  return {get_arg_val<int_argument>(v, "iter"),
          get_arg_val<int_argument>(v, "grad_samples"),
          get_arg_val<int_argument>(v, "elbo_samples"),
          get_arg_val<real_argument>(v, "eta"),
          stan_dp::is_given(words, "adapt", "engaged")
              && get_arg_val<bool_argument>(*v.arg("adapt"), "engaged"),
          get_arg_val<int_argument>(*v.arg("adapt"), "iter"),
          get_arg_val<real_argument>(v, "tol_rel_obj"),
          get_arg_val<int_argument>(v, "eval_elbo"),
          get_arg_val<int_argument>(v, "output_samples")};
}

stan_dp::dp_request read_request(cmdstan::argument_parser& parser,
                                 const stan_dp::dp_algorithm& algorithm,
                                 const std::vector<std::string>& words) {
  auto* a = parser.arg("method")
                ->arg(algorithm.method)
                ->arg("algorithm")
                ->arg(algorithm.name);
  auto& group = dynamic_cast<cmdstan::dp_group&>(*a);
  auto& privacy = dynamic_cast<cmdstan::dp_group&>(*a->arg("privacy"));
  stan_dp::dp_request request;
  request.algorithm = algorithm.name;
  request.privacy
      = stan_dp::read_privacy(privacy.values(stan_dp::privacy_options()));
  request.settings = stan_dp::read_algorithm(
      algorithm.name, group.values(algorithm.options), request.privacy);
  if (algorithm.method == "variational") {
    stan_dp::add_variational_arguments(read_variational(parser, words),
                                       request);
  } else {
    read_sample(parser, words, request);
  }
  request.sample.refresh
      = get_arg_val<int_argument>(parser, "output", "refresh");
  request.sample.id = get_arg_val<int_argument>(parser, "id");
  request.sample.seed
      = dynamic_cast<cmdstan::arg_seed*>(parser.arg("random")->arg("seed"))
            ->random_value();
  stan_dp::check_dp_request(
      request,
      get_arg_val<string_argument>(parser, "output", "diagnostic_file"),
      algorithm.method == "sample"
          && get_arg_val<bool_argument>(parser, "method", "sample", "adapt",
                                        "save_metric"));
  return request;
}

std::vector<stan_dp::csv_writer> open_csv(cmdstan::argument_parser& parser,
                                          const stan_dp::dp_request& request) {
  std::vector<stan_dp::csv_writer> writers;
  for (const auto& name : stan_dp::chain_files(
           get_arg_val<string_argument>(parser, "output", "file"), "", ".csv",
           request.sample.num_chains, request.sample.id)) {
    writers.emplace_back(
        name, get_arg_val<int_argument>(parser, "output", "sig_figs"));
  }
  return writers;
}

/** The full-data model is never built here. */
int run_private(cmdstan::argument_parser& parser,
                const stan_dp::dp_algorithm& algorithm,
                const std::vector<std::string>& words) {
  begin_run(parser);
  stan_dp::dp_request request = read_request(parser, algorithm, words);
  auto [radius, init_file]
      = stan_dp::read_init(get_arg_val<string_argument>(parser, "init"));
  request.sample.init_radius = radius;
  stan_dp::signal_interrupt interrupt;
  stan_dp::terminal_logger logger;
  std::vector<stan_dp::csv_writer> files = open_csv(parser, request);
  stan_dp::dp_front_end front{
      new_model,
      get_arg_val<string_argument>(parser, "data", "file"),
      cmdstan::get_vec_var_context(init_file, request.sample.num_chains,
                                   request.sample.id),
      interrupt,
      logger,
      files,
      [&parser](stan::callbacks::writer& out,
                const stan::model::model_base& prior) {
        cmdstan::write_config(out, parser,
                              const_cast<stan::model::model_base&>(prior));
      }};
  return stan_dp::run_dp(request, front);
}

int run_row_product(cmdstan::argument_parser& parser) {
  begin_run(parser);
  auto& group = dynamic_cast<cmdstan::dp_group&>(
      *parser.arg("method")->arg("diagnose")->arg("test")->arg("row_product"));
  auto v = group.values(stan_dp::row_product_options());
  stan_dp::terminal_logger logger;
  return stan_dp::run_row_product(
      get_arg_val<string_argument>(parser, "data", "file"),
      {v.text("rows"), v.text("unit"),
       stan_dp::internal::split_names(v.text("public"))},
      new_model, logger);
}

int run_command(int argc, const char* argv[]) {
  command_line line;
  stan::callbacks::writer nothing;
  int code = line.parser.parse_args(argc, argv, nothing, nothing);
  if (code == 0 && !line.parser.help_printed()) {
    if (auto* algorithm = chosen_dp_algorithm(line.parser)) {
      stan_dp::catch_signals();
      return run_private(line.parser, *algorithm,
                         std::vector<std::string>(argv, argv + argc));
    }
    if (chosen(line.parser, "diagnose", "test") == "row_product") {
      return run_row_product(line.parser);
    }
    if (line.parser.arg("method")->arg("generate_quantities") != nullptr) {
      stan_dp::warn_of_private_fit(get_arg_val<string_argument>(
          line.parser, "method", "generate_quantities", "fitted_params"));
    }
  }
  return cmdstan::command(argc, argv);
}

}  // namespace

int main(int argc, const char* argv[]) {
  try {
    return run_command(argc, argv) == 0 ? cmdstan::return_codes::OK
                                        : cmdstan::return_codes::NOT_OK;
  } catch (const stan_dp::interrupted& e) {
    std::cerr << "Interrupted; the output ends after the last whole line.\n";
    return 128 + e.signal;
  } catch (const std::exception& e) {
    std::cerr << e.what() << std::endl;
    return cmdstan::return_codes::NOT_OK;
  }
}
