// Ordered and simplex parameters; a simplex for each row.
data {
  int<lower=0> N;
  int<lower=2> C;
  array[N] int<lower=1, upper=C> grade;
  array[N] simplex[3] shares;
  vector[N] x;
}
parameters {
  ordered[C - 1] cut;
  simplex[3] centre;
  real b;
  real<lower=0> concentration;
}
model {
  cut ~ normal(0, 2);
  centre ~ dirichlet(rep_vector(2, 3));
  b ~ normal(0, 1);
  concentration ~ exponential(0.1);
  for (n in 1 : N) {
    grade[n] ~ ordered_logistic(b * x[n], cut);
    shares[n] ~ dirichlet(centre * (1 + concentration));
  }
}
