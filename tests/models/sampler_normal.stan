// A normal sample; generated quantities index a row, which throws without rows.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
transformed parameters {
  real precision = inv_square(sigma);
}
model {
  mu ~ normal(0, 2);
  sigma ~ lognormal(0, 1);
  y ~ normal(mu, sigma);
}
generated quantities {
  real first = y[1];
}
