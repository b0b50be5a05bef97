"""One step of DPVI in JAX, as the peer of the product's: a Poisson subsample, per-example gradients by vmap, clipping,
their sum, noise and Adam, in double precision, compiled as one program that makes many steps.

The subsample is drawn by geometric gaps between units, the fastest way in JAX. Subsample and noise come from JAX's
generator in floating point, which is less than the product promises.
"""
import time

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

ROWS, COLUMNS, RATE, CLIP, NOISE, STEPS = 39074, 14, 0.005, 3.0, 1.0, 2000
# Room for a batch: 195 are expected, and this is five standard deviations more. What is left of it is padding.
ROOM = 265


def log_likelihood(theta, x, y):
    eta = theta[0] + x @ theta[1:]
    return y * eta - jnp.logaddexp(0.0, eta)


def clipped_gradient(theta, x, y):
    gradient = jax.grad(log_likelihood)(theta, x, y)
    return gradient * jnp.minimum(1.0, CLIP / jnp.linalg.norm(gradient))


def step(data, state, inputs):
    x, y = data
    mu, omega, m, v = state
    t, key = inputs
    pick, draw, noise = jax.random.split(key, 3)
    batch = jnp.cumsum(jax.random.geometric(pick, RATE, (ROOM,))) - 1
    eps = jax.random.normal(draw, mu.shape)
    theta = mu + jnp.exp(omega) * eps
    gradients = jax.vmap(clipped_gradient, (None, 0, 0))(theta, x[batch], y[batch])
    total = jnp.sum(jnp.where((batch < ROWS)[:, None], gradients, 0.0), axis=0)
    total = (total + NOISE * CLIP * jax.random.normal(noise, total.shape)) / RATE - theta / 25
    gradient = jnp.concatenate([total, total * jnp.exp(omega) * eps + 1])
    m = 0.9 * m + 0.1 * gradient
    v = v + t ** -0.8 * (gradient ** 2 - v)
    change = t ** -0.5 * m / (1 - 0.9 ** t) / jnp.sqrt(v)
    d = mu.shape[0]
    return (mu + change[:d], omega + change[d:], m, v), None


def make_run():
    """A function that makes STEPS steps and waits for them; compiled already."""
    x = jax.random.normal(jax.random.PRNGKey(1), (ROWS, COLUMNS))
    y = (jax.random.normal(jax.random.PRNGKey(2), (ROWS,)) > 0.7).astype(jnp.float64)
    d = COLUMNS + 1
    start = (jnp.zeros(d), jnp.full(d, -2.3), jnp.zeros(2 * d), jnp.zeros(2 * d))
    times = jnp.arange(1, STEPS + 1, dtype=jnp.float64)

    @jax.jit
    def steps(key):
        inputs = (times, jax.random.split(key, STEPS))
        return jax.lax.scan(lambda state, one: step((x, y), state, one), start, inputs)[0]

    def run(seed):
        for part in steps(jax.random.PRNGKey(seed)):
            part.block_until_ready()

    run(0)
    return run


def step_microseconds(run, seed):
    start = time.perf_counter()
    run(seed)
    return (time.perf_counter() - start) / STEPS * 1e6
