// The row axis comes second in a matrix, and first in an array of vectors.
data {
  int<lower=0> N;
  int<lower=1> K;
  matrix[K, N] x;
  array[N] vector[2] y;
  cov_matrix[2] Sigma;
}
parameters {
  row_vector[K] b;
  vector[2] mu;
}
model {
  b ~ normal(0, 1);
  mu ~ normal(0, 3);
  row_vector[N] eta = b * x;
  for (n in 1 : N) y[n] ~ multi_normal(mu + eta[n], Sigma);
}
