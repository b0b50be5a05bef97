// Complex numbers, whose parts are a last axis of the data.
data {
  int<lower=0> N;
  array[N] complex z;
  complex_vector[N] w;
  complex_matrix[2, N] v;
}
parameters {
  real re;
  real im;
}
model {
  re ~ normal(0, 1);
  im ~ normal(0, 1);
  for (n in 1 : N) {
    target += -square(get_real(z[n]) - re) - 2 * square(get_imag(z[n]) - im);
    target += -abs(w[n] - to_complex(re, im));
    target += -3 * square(get_real(v[1, n]) - re)
              - 0.5 * square(get_imag(v[2, n]) - im);
  }
}
