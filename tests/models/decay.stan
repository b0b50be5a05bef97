// An ODE, solved by SUNDIALS at tight tolerances, once for each row.
functions {
  vector rhs(real t, vector y, real rate) {
    return [-rate * y[1] - 0.1 * square(y[1])]';
  }
}
data {
  int<lower=0> N;
  array[N] real<lower=0> t;
  array[N] real<lower=0> start;
  array[N] real<lower=0> y;
}
parameters {
  real<lower=0> rate;
  real<lower=0> sigma;
}
model {
  rate ~ lognormal(0, 0.5);
  sigma ~ lognormal(-1, 0.5);
  for (n in 1 : N) {
    array[1] vector[1] state = ode_bdf_tol(rhs, [start[n]]', 0, {t[n]}, 1e-12, 1e-12, 100000, rate);
    y[n] ~ lognormal(log(state[1][1]), sigma);
  }
}
