// Varying intercepts by group, with the groups' own data named public.
data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> group;
  vector[N] x;
  vector[N] y;
  vector[J] u;
}
parameters {
  vector[J] a_raw;
  vector[2] b;
  real<lower=0> tau;
  real<lower=0> sigma;
}
transformed parameters {
  vector[J] a = b[1] * u + tau * a_raw;
}
model {
  a_raw ~ std_normal();
  b ~ normal(0, 2);
  tau ~ normal(0, 1);
  sigma ~ normal(0, 1);
  y ~ normal(a[group] + b[2] * x, sigma);
}
