// A posterior on a thin ring. The prior is flat.
data {
  int<lower=0> N;
  real<lower=0> a;
  vector[N] r;
}
parameters {
  vector[2] theta;
}
model {
  target += -a * dot_self(dot_self(theta) - square(r));
}
