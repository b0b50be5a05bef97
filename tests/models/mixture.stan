// Five Gaussian components in the plane.
data {
  int<lower=0> N;
  array[N] vector[2] y;
}
parameters {
  simplex[5] pi;
  array[5] vector[2] mu;
  vector<lower=0>[5] sigma;
}
model {
  pi ~ dirichlet(rep_vector(1, 5));
  for (k in 1 : 5) mu[k] ~ normal(0, 3);
  sigma ~ normal(0, 2);
  for (n in 1 : N) {
    vector[5] lp = log(pi);
    for (k in 1 : 5) lp[k] += normal_lpdf(y[n] | mu[k], sigma[k]);
    target += log_sum_exp(lp);
  }
}
