// Integer arrays with one and two axes, and exposures as an array of reals.
data {
  int<lower=0> N;
  int<lower=1> T;
  array[N, T] int<lower=0> counts;
  array[N] int<lower=1> trials;
  array[N] int<lower=0> successes;
  array[N] real<lower=0> exposure;
}
parameters {
  vector[T] log_rate;
  real<lower=0, upper=1> p;
}
model {
  log_rate ~ normal(0, 1);
  p ~ beta(2, 2);
  for (n in 1 : N) {
    counts[n] ~ poisson_log(log_rate + log(exposure[n]));
    successes[n] ~ binomial(trials[n], p);
  }
}
