// A mixture whose component is shared by all rows of a person: the unit is the person.
data {
  int<lower=0> N;
  int<lower=0> P;
  array[N] int<lower=1, upper=P> person;
  vector[N] y;
}
parameters {
  ordered[2] mu;
  real<lower=0, upper=1> p;
}
model {
  mu ~ normal(0, 3);
  matrix[P, 2] lp = rep_matrix(0, P, 2);
  array[P] int seen = rep_array(0, P);
  for (n in 1 : N) {
    seen[person[n]] = 1;
    for (k in 1 : 2) lp[person[n], k] += normal_lpdf(y[n] | mu[k], 1);
  }
  for (i in 1 : P) if (seen[i]) target += log_mix(p, lp[i, 1], lp[i, 2]);
}
