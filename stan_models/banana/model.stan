// A posterior in the shape of a banana: the second mean bends with the square
// of the first one. With a = 0 it is a Gaussian with a diagonal covariance.
data {
  int<lower=0> N;
  int<lower=2> D;
  real a;
  vector<lower=0>[D] sigma;
  real<lower=0> prior_sd;
  matrix[N, D] x;
}
parameters {
  vector[D] theta;
}
model {
  vector[D] mu = theta;
  mu[2] += a * square(theta[1]);
  mu ~ normal(0, prior_sd);
  for (d in 1 : D) {
    x[ : , d] ~ normal(mu[d], sigma[d]);
  }
}
