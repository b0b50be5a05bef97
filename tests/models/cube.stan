// Three axes: the row axis first, in the middle, and last.
data {
  int<lower=0> N;
  array[N, 3, 2] real a;
  array[2, N, 3] real b;
  array[2] matrix[3, N] c;
}
parameters {
  vector[3] m;
  real<lower=0> s;
}
model {
  m ~ normal(0, 1);
  s ~ exponential(1);
  for (n in 1 : N) {
    for (j in 1 : 3) {
      for (k in 1 : 2) {
        a[n, j, k] ~ normal(m[j], s * k);
        b[k, n, j] ~ normal(m[j] + k, s);
        c[k][j, n] ~ normal(m[1] * j, s + k);
      }
    }
  }
}
