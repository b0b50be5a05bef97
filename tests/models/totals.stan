// Sufficient statistics in place of rows.
data {
  int<lower=0> N;
  int<lower=0> successes;
  real total;
}
parameters {
  real<lower=0, upper=1> p;
}
model {
  successes ~ binomial(N, p);
  total ~ normal(N * p, 1);
}
