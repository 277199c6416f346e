"""A jitted function with its arguments, as harness.py calls it."""
import jax
from jax import lax


class Call:
    """Arguments are never overwritten: nothing has to be restored."""

    def __init__(self, run, *arguments):
        self.run, self.arguments = run, arguments

    def __call__(self):
        return self.run(*self.arguments)

    def batch(self, calls):
        """All of them in one jitted loop. The barrier ties each call's arguments to the result before it, or XLA would make one call of them."""
        @jax.jit
        def together(*arguments):
            def body(_, carry):
                arguments, _ = lax.optimization_barrier(carry)
                return arguments, self.run(*arguments)

            nothing = jax.tree.map(lambda shape: jax.numpy.zeros(shape.shape, shape.dtype), jax.eval_shape(self.run, *arguments))
            return lax.fori_loop(0, calls, body, (arguments, nothing))[1]

        return lambda: together(*self.arguments)
