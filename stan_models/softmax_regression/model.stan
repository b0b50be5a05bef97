// Softmax regression: one of K classes from D features.
data {
  int<lower=0> N;
  int<lower=2> K;
  int<lower=1> D;
  matrix[N, D] x;
  array[N] int<lower=1, upper=K> y;
}
parameters {
  vector[K] alpha;
  matrix[D, K] beta;
}
model {
  alpha ~ normal(0, 10);
  to_vector(beta) ~ normal(0, 10);
  y ~ categorical_logit_glm(x, alpha, beta);
}
