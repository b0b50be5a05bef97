#include <tests/rows/test_models.hpp>
#include <stan_dp/rows/load_rows.hpp>
#include <stan_dp/services/diagnose_row_product.hpp>
#include <gtest/gtest.h>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using stan_dp::row_choice;
using namespace stan_dp::test;  // NOLINT

namespace {

/** What load_rows says; empty if it does not refuse. */
std::string refused(stan_dp::model_factory factory, const std::string& data,
                    const row_choice& choice = {}) {
  try {
    stan_dp::load_rows(factory, json(data), choice);
  } catch (const stan_dp::refusal& e) {
    return e.what();
  }
  return "";
}

void expect_mentions(const std::string& text,
                     const std::vector<std::string>& parts) {
  for (const auto& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos)
        << "no '" << part << "' in: " << text;
  }
}

std::string logistic(const std::string& n, const std::string& x,
                     const std::string& y) {
  return "{\"N\":" + n + ",\"K\":2,\"x\":" + x + ",\"y\":" + y + "}";
}

/** Data for tests/models/refusals.stan with its switch set. */
std::string wrong(int which, int order = 1, int min_rows = 0) {
  const int n = 12;
  return "{\"N\":12,\"wrong\":" + std::to_string(which) + ",\"order\":"
         + std::to_string(order) + ",\"min_rows\":" + std::to_string(min_rows)
         + ",\"x\":" + reals(n) + ",\"longer\":" + reals(n + (which == 1))
         + ",\"twice\":" + reals(n * (1 + (which == 2)))
         + ",\"square_matrix\":" + reals(n, which == 3 ? n : 1, 1)
         + (which == 13 ? ",\"pairs\":"
                              + array(n,
                                      [](int) {
                                        return "[{\"1\":1,\"2\":2.5},"
                                               "{\"1\":3,\"2\":4.5}]";
                                      })
                        : "")
         + "}";
}

TEST(LoadRows, names_the_row_axis_of_each_variable) {
  const auto divided = stan_dp::divide_data(
      new_model_wide,
      json("{\"N\":5,\"K\":3,\"x\":" + reals(3, 5, 1)
           + ",\"y\":" + reals(5, 2, 2) + ",\"Sigma\":[[2,0.3],[0.3,1]]}"),
      {"N", "", {"Sigma"}});
  EXPECT_EQ(divided.table.names(true), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(divided.table.names(false),
            (std::vector<std::string>{"K", "Sigma"}));
  EXPECT_EQ(divided.table.variables[1].row_axis, 1);
  EXPECT_EQ(divided.table.variables[2].row_axis, 0);
}

TEST(LoadRows, square_data_do_not_confuse_the_row_axis) {
  // K = N = 3: sizes alone could not tell which axis has the rows.
  const auto divided = stan_dp::divide_data(
      new_model_wide,
      json("{\"N\":3,\"K\":3,\"x\":" + reals(3, 3, 1)
           + ",\"y\":" + reals(3, 2, 2) + ",\"Sigma\":[[2,0.3],[0.3,1]]}"),
      {"N", "", {"Sigma"}});
  EXPECT_EQ(divided.table.variables[1].row_axis, 1);
}

TEST(LoadRows, refuses_rows_that_is_not_in_the_data) {
  expect_mentions(
      refused(new_model_logistic, logistic("2", "[[1,2],[3,4]]", "[0,1]"),
              {"n_obs", "", {}}),
      {"rows=n_obs is not an integer scalar in the data",
       "integer scalars there: K, N", "rows="});
}

TEST(LoadRows, refuses_rows_that_is_not_in_the_model) {
  expect_mentions(
      refused(new_model_logistic,
              "{\"N\":2,\"M\":2,\"K\":2,\"x\":[[1,2],[3,4]],\"y\":[0,1]}",
              {"M", "", {"x", "y"}}),
      {"rows=M is not an integer scalar among the model's data", "N, K"});
}

TEST(LoadRows, refuses_a_negative_row_count) {
  expect_mentions(refused(new_model_logistic, logistic("-2", "[]", "[]")),
                  {"rows=N is negative"});
}

TEST(LoadRows, refuses_lengths_that_disagree) {
  expect_mentions(
      refused(new_model_logistic, logistic("3", "[[1,2],[3,4]]", "[0,1,1]")),
      {"N = 3 in the data, but x has 2 elements along axis 1"});
  expect_mentions(
      refused(new_model_logistic, logistic("2", "[[1,2,3],[3,4,5]]", "[0,1]")),
      {"x is declared with size [2, 2]", "the data file has [2, 3]"});
  expect_mentions(refused(new_model_logistic, logistic("2", "[1,2]", "[0,1]")),
                  {"x is declared with 2 dimensions", "the data file has 1"});
  expect_mentions(
      refused(new_model_logistic, logistic("2", "[[1,2],[3,4]]", "[]")),
      {"N = 2 in the data, but y has 0 elements"});
}

TEST(LoadRows, refuses_missing_variables_and_wrong_types) {
  expect_mentions(
      refused(new_model_logistic, "{\"N\":2,\"K\":2,\"x\":[[1,2],[3,4]]}"),
      {"The data file has no variable y"});
  expect_mentions(
      refused(new_model_logistic, "{\"N\":1,\"x\":[[1,2]],\"y\":[1]}"),
      {"The data file has no variable K"});
  expect_mentions(
      refused(new_model_logistic, logistic("2", "[[1,2],[3,4]]", "[0.5,1]")),
      {"y is declared as integer", "not integers"});
}

TEST(LoadRows, refuses_data_without_rows_that_nobody_called_public) {
  const std::string data = "{\"N\":5,\"K\":3,\"x\":" + reals(3, 5, 1)
                           + ",\"y\":" + reals(5, 2, 2)
                           + ",\"Sigma\":[[2,0.3],[0.3,1]]}";
  expect_mentions(refused(new_model_wide, data),
                  {"Data variable Sigma has no axis of size N", "public=Sigma",
                   "nothing would protect it"});
  EXPECT_EQ(refused(new_model_wide, data, {"N", "", {"Sigma"}}), "");
}

TEST(LoadRows, refuses_long_format_where_rows_are_not_the_data) {
  // rows=P counts the persons; the measurements have length N.
  expect_mentions(
      refused(new_model_panel,
              "{\"N\":4,\"P\":2,\"person\":[1,1,2,2],\"y\":[1,2,3,4]}",
              {"P", "", {}}),
      {"Data variable person has no axis of size P", "public=person"});
}

TEST(LoadRows, refuses_a_public_name_that_does_not_exist) {
  expect_mentions(
      refused(new_model_logistic, logistic("2", "[[1,2],[3,4]]", "[0,1]"),
              {"N", "", {"Sgima"}}),
      {"public=Sgima is not a variable of the data", "x"});
}

TEST(LoadRows, refuses_unit_of_wrong_length_or_type) {
  const auto with_unit = [](const std::string& ids) {
    return refused(new_model_normal_vector,
                   "{\"N\":3,\"y\":[1,2,3],\"id\":" + ids + "}",
                   {"N", "id", {}});
  };
  expect_mentions(with_unit("[1,2]"), {"unit=id has size [2]", "one id"});
  expect_mentions(with_unit("[1.5,2,3]"),
                  {"unit=id has to be an array of integers"});
  expect_mentions(with_unit("7"), {"unit=id has size a scalar"});
  expect_mentions(
      refused(new_model_normal_vector, "{\"N\":1,\"y\":[1]}", {"N", "id", {}}),
      {"unit=id is not a variable of the data"});
  EXPECT_EQ(with_unit("[1,2,1]"), "");
}

TEST(LoadRows, refuses_sizes_that_move_in_another_way) {
  expect_mentions(refused(new_model_refusals, wrong(1)),
                  {"longer has a size that moves with N, from 1 at N = 0 to 2",
                   "one for each row"});
  expect_mentions(refused(new_model_refusals, wrong(2)),
                  {"twice has a size that moves with N, from 0 at N = 0 to 2"});
  expect_mentions(refused(new_model_refusals, wrong(3)),
                  {"Two axes of data variable square_matrix have size N",
                   "relates rows to each other"});
}

/** Stan's reader flattens them row by row and its constructors read them column
 * by column: the row of the file would not be the row of the model. */
TEST(LoadRows, refuses_tuples_below_two_levels_of_arrays) {
  expect_mentions(
      refused(new_model_refusals, wrong(13)),
      {"pairs.1 lies below two levels of arrays of tuples", "one level"});
}

TEST(LoadRows, refuses_a_mean_or_sd_of_no_rows) {
  for (int which : {4, 8}) {
    expect_mentions(refused(new_model_refusals, wrong(which)),
                    {"With N = 0 the model cannot be constructed",
                     "a mean, sd, min or max of the rows' data"});
  }
}

TEST(LoadRows, refuses_an_index_without_rows) {
  expect_mentions(refused(new_model_refusals, wrong(5)),
                  {"With N = 0 the model cannot be constructed",
                   "reads an element such as x[1]", "if (N > 0)"});
}

TEST(LoadRows, refuses_integer_division_by_the_row_count) {
  expect_mentions(refused(new_model_refusals, wrong(6)),
                  {"an integer is divided by N", "max(N, 1)"});
}

TEST(LoadRows, refuses_a_prior_scaled_by_the_row_count) {
  expect_mentions(
      refused(new_model_refusals, wrong(7)),
      {"With N = 0 the model has no finite log density", "scaled by N"});
}

TEST(LoadRows, refuses_lower_one) {
  expect_mentions(refused(new_model_refusals, wrong(0, 1, 1)),
                  {"int<lower=0> N", "brms"});
}

TEST(LoadRows, refuses_a_latent_value_for_each_row) {
  expect_mentions(
      refused(new_model_refusals, wrong(9)),
      {"The number of parameters moves with N", "marginalise it out"});
}

TEST(LoadRows, refuses_coupled_rows_on_invented_rows) {
  for (int order : {1, 5}) {
    expect_mentions(refused(new_model_refusals, wrong(10, order)),
                    {"The likelihood is not a product over rows",
                     "on invented rows", "unit="});
  }
  expect_mentions(refused(new_model_refusals, wrong(11)),
                  {"The likelihood is not a product over rows"});
  const std::string panel
      = "{\"N\":4,\"P\":2,\"person\":[1,1,2,2],\"y\":[1,2,3,4]}";
  expect_mentions(refused(new_model_panel, panel),
                  {"The likelihood is not a product over rows", "unit="});
  EXPECT_EQ(refused(new_model_panel, panel, {"N", "person", {}}), "");
}

TEST(LoadRows, refuses_sufficient_statistics) {
  const std::string totals = "{\"N\":9,\"successes\":4,\"total\":3.9}";
  expect_mentions(refused(new_model_totals, totals),
                  {"total has no axis of size N", "public=total"});
  expect_mentions(refused(new_model_totals, totals, {"N", "", {"total"}}),
                  {"No data variable has an axis of size N", "pass the rows"});
}

TEST(LoadRows, warns_when_quantities_need_rows) {
  const auto loaded
      = stan_dp::load_rows(new_model_refusals, json(wrong(12)), {});
  ASSERT_EQ(loaded.warnings.size(), 1);
  expect_mentions(loaded.warnings[0],
                  {"Generated quantities cannot be computed without rows"});
}

TEST(LoadRows, refusals_and_warnings_do_not_depend_on_row_values) {
  // The first row's x violates its constraint, its divisor is zero, and so on:
  // a private run must not notice.
  const auto clean = stan_dp::load_rows(
      new_model_throws,
      json("{\"N\":2,\"x\":[1,1],\"divisor\":[2,2],\"y\":[0,0]}"), {});
  const auto dirty = stan_dp::load_rows(
      new_model_throws,
      json("{\"N\":2,\"x\":[-1,1],\"divisor\":[0,0],\"y\":[0,2000]}"), {});
  EXPECT_EQ(clean.warnings, dirty.warnings);
  EXPECT_EQ(clean.protected_names, dirty.protected_names);
}

TEST(DataFile, says_what_is_wrong_with_the_file) {
  const auto what = [](const std::string& name) {
    try {
      stan_dp::read_data_file(name);
    } catch (const stan_dp::refusal& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  expect_mentions(what("no_such_file.json"),
                  {"Can't open specified file, \"no_such_file.json\""});
  const std::string name = testing::TempDir() + "unreadable.json";
  std::ofstream(name) << "{\"N\": 3, \"y\": [1, 2,";
  expect_mentions(what(name),
                  {"Could not read the data file", "unreadable.json"});
  std::remove(name.c_str());
}

TEST(Memory, refuses_what_will_not_fit_and_names_the_largest) {
  stan_dp::row_table table;
  table.num_rows = 1000;
  stan_dp::row_variable y, map, k;
  y.name = "y";
  y.dims = {1000};
  y.set_row_axis(0);
  map.name = "map";
  map.dims = {200, 200};
  k.name = "K";
  k.integer = true;
  table.variables = {y, map, k};
  // 1000 units x (400 + 200 * 200 * 8 + 4) + 1000 rows x 8
  EXPECT_DOUBLE_EQ(stan_dp::estimate_bytes(table, 1000),
                   1000 * (400 + 320000 + 4.0) + 8000);
  EXPECT_NO_THROW(stan_dp::require_memory(table, 1000, 1e9));
  try {
    stan_dp::require_memory(table, 1000, 1e8);
    FAIL() << "accepted 320 MB where there are 100";
  } catch (const stan_dp::refusal& e) {
    expect_mentions(e.what(), {"would not fit into memory", "map"});
  }
}

/** Runs diagnose and keeps what it prints. */
struct diagnosis {
  diagnosis(stan_dp::model_factory factory, const std::string& data,
            const row_choice& choice = {}) {
    struct keeping_logger : stan::callbacks::logger {
      void info(const std::string& message) override { text += message + "\n"; }
      void error(const std::string& message) override {
        text += message + "\n";
      }
      std::string text;
    } logger;
    code = stan_dp::services::diagnose_row_product(factory, json(data), choice,
                                                   logger);
    text = logger.text;
  }
  int code;
  std::string text;
};

TEST(DiagnoseRowProduct, reports_a_product) {
  const diagnosis d(new_model_panel,
                    "{\"N\":4,\"P\":2,\"person\":[1,1,2,2],\"y\":[1,2,3,4]}",
                    {"N", "person", {}});
  EXPECT_EQ(d.code, 0);
  expect_mentions(d.text, {"NOT FOR RELEASE", "N = 4", "units: 2 (by person)",
                           "y: rows along axis 1 of [4]",
                           "public, the same for every unit: P",
                           "largest relative error over 2 units",
                           "The likelihood is a product over units."});
}

TEST(DiagnoseRowProduct, counts_units_that_fail_and_says_why_the_first_does) {
  const diagnosis d(new_model_throws,
                    "{\"N\":5,\"x\":[1,-1,1,1,2],\"divisor\":[2,2,0,2,3],"
                    "\"y\":[0,0,0,2000,0]}");
  EXPECT_EQ(d.code, 0);
  expect_mentions(d.text,
                  {"cannot be constructed: 2", "cannot be evaluated: 1",
                   "the first of them", "must be greater than or equal to 0"});
}

TEST(DiagnoseRowProduct, refuses_coupled_real_rows) {
  for (int order : {1, 5}) {
    const diagnosis d(new_model_refusals, wrong(10, order));
    EXPECT_NE(d.code, 0);
    expect_mentions(d.text, {"The likelihood is not a product over rows",
                             "relative error"});
  }
  // Order 20 is beyond the twelve rows: here the data are a product.
  EXPECT_EQ(diagnosis(new_model_refusals, wrong(10, 20)).code, 0);
}

TEST(DiagnoseRowProduct, refuses_latent_values_and_models_nobody_can_evaluate) {
  const diagnosis latent(new_model_refusals, wrong(9));
  EXPECT_NE(latent.code, 0);
  expect_mentions(latent.text, {"The number of parameters moves with N"});
  const diagnosis none(new_model_throws,
                       "{\"N\":2,\"x\":[-1,-1],\"divisor\":[1,1],\"y\":[0,0]}");
  EXPECT_NE(none.code, 0);
  expect_mentions(none.text, {"No unit can be evaluated"});
}

}  // namespace
