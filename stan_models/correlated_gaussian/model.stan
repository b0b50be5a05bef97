// Mean of two variables with known unit variances and known correlation.
data {
  int<lower=0> N;
  real<lower=-1, upper=1> rho;
  real<lower=0> prior_sd;
  array[N] vector[2] x;
}
transformed data {
  cov_matrix[2] Sigma = [[1, rho], [rho, 1]];
  cholesky_factor_cov[2] L = cholesky_decompose(Sigma);
}
parameters {
  vector[2] theta;
}
model {
  theta ~ normal(0, prior_sd);
  x ~ multi_normal_cholesky(theta, L);
}
