"""L-BFGS: steps by an approximation of the inverse Hessian from the last gradients."""

import torch

from .optimizer import Optimizer

__all__ = ["LBFGS"]


def _cubic_interpolate(x1, f1, g1, x2, f2, g2, bounds=None):
    """The minimum of the cubic through two points with slopes, within bounds."""
    low, high = bounds if bounds is not None else (x1, x2) if x1 <= x2 else (x2, x1)
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1**2 - g1 * g2
    if not square >= 0:
        return (low + high) / 2.0
    d2 = square.sqrt()
    if x1 <= x2:
        best = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        best = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(best, low), high)


class _Point:
    """A place on the line that is searched: t, the loss, its gradient and its slope along the line."""

    def __init__(self, t, loss, grad, slope):
        self.t, self.loss, self.grad, self.slope = t, loss, grad, slope

    def kept(self):
        """The point with a gradient of its own."""
        return _Point(self.t, self.loss, self.grad.clone(), self.slope)

    @property
    def cubic(self):
        return self.t, self.loss, self.slope


def _strong_wolfe(evaluate, t, d, loss, grad, slope, c1=1e-4, c2=0.9, tolerance_change=1e-9, max_ls=25):
    """Finds a step that fulfils the strong Wolfe conditions: (loss, gradient, t, evaluations)."""
    largest = d.abs().max()
    start = _Point(0, loss, grad.clone(), slope)

    def at(t):
        loss, grad = evaluate(t)
        return _Point(t, loss, grad, grad.dot(d))

    new = at(t)
    evaluations, tries, done = 1, 0, False
    previous, bracket = start, None
    while tries < max_ls:
        if new.loss > loss + c1 * new.t * slope or (tries > 1 and new.loss >= previous.loss):
            bracket = [previous, new.kept()]
            break
        if abs(new.slope) <= -c2 * slope:
            bracket, done = [new], True
            break
        if new.slope >= 0:
            bracket = [previous, new.kept()]
            break
        bounds = (new.t + 0.01 * (new.t - previous.t), new.t * 10)
        t = _cubic_interpolate(*previous.cubic, *new.cubic, bounds=bounds)
        previous = new.kept()
        new = at(t)
        evaluations += 1
        tries += 1
    if tries == max_ls:
        bracket = [start, new]

    stuck = False
    low, high = (0, 1) if bracket[0].loss <= bracket[-1].loss else (1, 0)
    while not done and tries < max_ls:
        first, second = bracket
        if abs(second.t - first.t) * largest < tolerance_change:
            break
        t = _cubic_interpolate(*first.cubic, *second.cubic)
        left, right = min(first.t, second.t), max(first.t, second.t)
        margin = 0.1 * (right - left)
        if min(right - t, t - left) < margin:
            if stuck or t >= right or t <= left:
                t = right - margin if abs(t - right) < abs(t - left) else left + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        new = at(t)
        evaluations += 1
        tries += 1
        if new.loss > loss + c1 * t * slope or new.loss >= bracket[low].loss:
            bracket[high] = new.kept()
            low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
            continue
        if abs(new.slope) <= -c2 * slope:
            done = True
        elif new.slope * (bracket[high].t - bracket[low].t) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = new.kept()
    best = bracket[low]
    return best.loss, best.grad, best.t, evaluations


class LBFGS(Optimizer):
    """Needs a closure in step(), which it calls several times."""

    def __init__(
        self,
        params,
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        if isinstance(lr, torch.Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        defaults = dict(
            lr=lr,
            max_iter=max_iter,
            max_eval=max_eval,
            tolerance_grad=tolerance_grad,
            tolerance_change=tolerance_change,
            history_size=history_size,
            line_search_fn=line_search_fn,
        )
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def _gather_flat_grad(self):
        views = [p.new_zeros(p.numel()) if p.grad is None else p.grad.view(-1) for p in self._params]
        return torch.cat(views, 0)

    def _add_grad(self, step_size, update):
        offset = 0
        for p in self._params:
            n = p.numel()
            p.add_(update[offset : offset + n].view_as(p), alpha=step_size)
            offset += n

    def _search(self, closure, t, d, loss, grad, slope):
        """Searches along d from where the parameters are, and leaves them there."""
        start = [p.clone() for p in self._params]

        def evaluate(t):
            self._add_grad(t, d)
            value = float(closure())
            flat = self._gather_flat_grad()
            for p, before in zip(self._params, start):
                p.copy_(before)
            return value, flat

        return _strong_wolfe(evaluate, t, d, loss, grad, slope)

    def _direction(self, state, grad):
        """The next direction, from the gradient and the history of changes."""
        group = self.param_groups[0]
        history_size = group["history_size"]
        if state["n_iter"] == 1:
            state["old_dirs"], state["old_stps"], state["ro"], state["H_diag"] = [], [], [], 1
            return grad.neg()
        changes, steps, ro = state["old_dirs"], state["old_stps"], state["ro"]
        y = grad.sub(state["prev_flat_grad"])
        s = state["d"].mul(state["t"])
        ys = y.dot(s)
        if ys > 1e-10:
            if len(changes) == history_size:
                for kept in (changes, steps, ro):
                    kept.pop(0)
            changes.append(y)
            steps.append(s)
            ro.append(1.0 / ys)
            state["H_diag"] = ys / y.dot(y)
        if "al" not in state:
            state["al"] = [None] * history_size
        al = state["al"]
        q = grad.neg()
        for i in range(len(changes) - 1, -1, -1):
            al[i] = steps[i].dot(q) * ro[i]
            q.add_(changes[i], alpha=-al[i])
        r = torch.mul(q, state["H_diag"])
        for i in range(len(changes)):
            r.add_(steps[i], alpha=al[i] - changes[i].dot(r) * ro[i])
        return r

    @torch.no_grad()
    def step(self, closure):
        """Makes up to max_iter iterations; gives the loss before the first."""
        group = self.param_groups[0]
        lr, max_iter = group["lr"], group["max_iter"]
        tolerance_change = group["tolerance_change"]
        closure = torch.enable_grad()(closure)
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)

        first_loss = closure()
        loss = float(first_loss)
        evaluations = 1
        state["func_evals"] += 1
        grad = self._gather_flat_grad()
        flat_enough = grad.abs().max() <= group["tolerance_grad"]
        if flat_enough:
            return first_loss

        iterations = 0
        while iterations < max_iter:
            iterations += 1
            state["n_iter"] += 1
            d = self._direction(state, grad)
            state["d"] = d
            if state.get("prev_flat_grad") is None:
                state["prev_flat_grad"] = grad.clone()
            else:
                state["prev_flat_grad"].copy_(grad)
            before = state["prev_loss"] = loss
            t = min(1.0, 1.0 / grad.abs().sum()) * lr if state["n_iter"] == 1 else lr
            state["t"] = t
            slope = grad.dot(d)
            if slope > -tolerance_change:
                break
            calls = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                loss, grad, t, calls = self._search(closure, t, d, loss, grad, slope)
                state["t"] = t
                self._add_grad(t, d)
                flat_enough = grad.abs().max() <= group["tolerance_grad"]
            else:
                self._add_grad(t, d)
                if iterations != max_iter:
                    loss = float(closure())
                    grad = self._gather_flat_grad()
                    flat_enough = grad.abs().max() <= group["tolerance_grad"]
                    calls = 1
            evaluations += calls
            state["func_evals"] += calls
            if (
                iterations == max_iter
                or evaluations >= group["max_eval"]
                or flat_enough
                or d.mul(t).abs().max() <= tolerance_change
                or abs(loss - before) < tolerance_change
            ):
                break
        return first_loss
