// Mixture of K spherical Gaussians (Jälkö 2017, section 5.2). The component that a row belongs to is summed out.
data {
  int<lower=0> N;
  int<lower=1> K;
  int<lower=1> D;
  array[N] vector[D] x;
}
parameters {
  simplex[K] pi;
  array[K] vector[D] mu;
  vector<lower=0>[K] tau;
}
model {
  pi ~ dirichlet(rep_vector(1, K));
  for (k in 1 : K) {
    mu[k] ~ std_normal();
  }
  tau ~ inv_gamma(1, 1);
  for (n in 1 : N) {
    vector[K] lp = log(pi);
    for (k in 1 : K) {
      lp[k] += normal_lpdf(x[n] | mu[k], sqrt(tau[k]));
    }
    target += log_sum_exp(lp);
  }
}
