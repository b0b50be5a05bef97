// Rows that throw: in the constructor (negative x), by integer division (a divisor of 0 in the constructor, of 1 in the
// model, inside of a profile), in a region of the parameters (all rows), and by not being finite. Below -6 the likelihood
// is another function.
data {
  int<lower=0> N;
  array[N] real<lower=0> x;
  array[N] int divisor;
  array[N] real y;
}
transformed data {
  array[N] int quotient;
  for (n in 1 : N) quotient[n] = 6 %/% divisor[n];
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  for (n in 1 : N) {
    if (mu > 2) reject("mu is too large for row ", n, " with x = ", x[n]);
    print("row ", n, " has x = ", x[n]);
    profile("row") {
      target += mu * (6 %/% (divisor[n] - 1));
    }
    if (y[n] > 1000) target += mu / (y[n] - y[n]);
    target += normal_lpdf(x[n] | mu, quotient[n]);
    if (mu < -6) target += square(x[n]) * mu;
  }
}
