// Mean of a Gaussian whose covariance is known.
data {
  int<lower=0> N;
  int<lower=1> D;
  cholesky_factor_cov[D] L;
  real<lower=0> prior_sd;
  array[N] vector[D] x;
}
parameters {
  vector[D] theta;
}
model {
  theta ~ normal(0, prior_sd);
  x ~ multi_normal_cholesky(theta, L);
}
