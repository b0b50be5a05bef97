data {
  int<lower=0> N;
  vector[N] age;
  vector[N] distance;
  array[N] int<lower=0, upper=1> bought;
}
parameters {
  real alpha;
  real by_age;
  real by_distance;
}
model {
  alpha ~ normal(0, 2);
  by_age ~ normal(0, 2);
  by_distance ~ normal(0, 2);
  bought ~ bernoulli_logit(alpha + by_age * age + by_distance * distance);
}
