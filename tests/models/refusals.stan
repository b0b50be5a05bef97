// One program with everything that is refused; `wrong` chooses. With wrong = 0 it is a proper model.
data {
  int wrong;
  int<lower=0> order;
  int min_rows;
  int<lower=min_rows> N;
  vector[N] x;
  vector[N + (wrong == 1)] longer;
  vector[N * (1 + (wrong == 2))] twice;
  matrix[N, wrong == 3 ? N : 1] square_matrix;
  array[wrong == 13 ? N : 0, 2] tuple(int, real) pairs;
}
transformed data {
  vector[N] z = x;
  real scale = 1;
  if (wrong == 4) z = x - mean(x);
  if (wrong == 5) scale = 1 + abs(x[1]);
  if (wrong == 6) scale = 1 + 10 %/% N;
  if (wrong == 7) scale = sqrt(N);
  if (wrong == 8) z = x - sd(x);
}
parameters {
  real mu;
  vector[wrong == 9 ? N : 0] latent;
}
model {
  if (wrong == 5 || wrong == 6 || wrong == 7) mu ~ normal(0, scale);
  else mu ~ normal(0, 1);
  if (wrong == 9) {
    latent ~ std_normal();
    z ~ normal(mu + latent, 1);
  } else if (wrong == 10) {
    // an autoregression of the given order
    for (n in 1 : N)
      z[n] ~ normal(mu + (n > order ? 0.5 * z[n - order] : 0), 1);
  } else if (wrong == 11) {
    if (N > 0)
      z ~ multi_normal(rep_vector(mu, N), add_diag(gp_exp_quad_cov(to_array_1d(x), 1.0, 1.0), 0.1));
  } else {
    z ~ normal(mu, 1);
  }
}
generated quantities {
  real first = wrong == 12 ? x[1] : 0;
}
