// As sampler_normal, with quantities that can be computed without rows and
// with print and profile statements, which must not be seen.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  print("mu is ", mu);
  mu ~ normal(0, 2);
  sigma ~ lognormal(0, 1);
  profile("likelihood") {
    y ~ normal(mu, sigma);
  }
}
generated quantities {
  real replicate = normal_rng(mu, sigma);
  vector[N] log_lik;
  for (n in 1 : N) log_lik[n] = normal_lpdf(y[n] | mu, sigma);
  print("replicate is ", replicate);
}
