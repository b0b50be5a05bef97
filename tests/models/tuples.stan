// A tuple of arrays and arrays of tuples: their components are laid out differently.
data {
  int<lower=0> N;
  int<lower=1> K;
  tuple(array[N] real, array[N] vector[K]) of_arrays;
  array[N] tuple(real, vector[K], array[2] int) array_of;
  array[N] tuple(int, matrix[K, 2]) with_matrix;
  array[2] tuple(array[N] int, vector[N]) inner;
}
parameters {
  vector[K] m;
}
model {
  m ~ normal(0, 2);
  for (n in 1 : N) {
    of_arrays.1[n] ~ normal(m[1], 1);
    of_arrays.2[n] ~ normal(m, 2);
    array_of[n].1 ~ normal(m[K], 3);
    array_of[n].2 ~ normal(m, 1.5);
    for (j in 1 : 2) {
      array_of[n].3[j] ~ poisson_log(m[j]);
      with_matrix[n].1 ~ poisson_log(0.5 * m[j]);
      for (k in 1 : K) with_matrix[n].2[k, j] ~ normal(m[k], j);
      inner[j].1[n] ~ poisson_log(0.1 * m[1]);
      inner[j].2[n] ~ normal(m[2], j);
    }
  }
}
