"""Adam and its relatives: steps from running means of the gradient and of its square."""

import torch

from ._rule import Rule, check, check_scalar, different, each, scalar


class _Moments(Rule):
    """An optimizer with the state "exp_avg" and "exp_avg_sq"."""

    def _start(self, group, p, grad, state):
        state["step"] = scalar(0.0, group.get("fused"))
        state["exp_avg"] = torch.zeros_like(p)
        state["exp_avg_sq"] = torch.zeros_like(p)

    @staticmethod
    def _decay(group, p, grad):
        """Applies the weight decay; gives the gradient."""
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                grad = grad.add(p, alpha=group["weight_decay"])
        return grad

    @staticmethod
    def _move(state, grad, beta1, beta2):
        """Brings the running means up to date."""
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        mean.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        return mean, square


class Adam(_Moments):
    """Steps by the mean of the gradient over the root of the mean of its square."""

    _newer = dict(Rule._newer, amsgrad=False, fused=None)
    _decoupled = False
    # The order of the settings in a group.
    _settings = ("maximize", "foreach", "capturable", "differentiable", "fused")

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
    ):
        if isinstance(lr, torch.Tensor):
            if foreach and not capturable:
                raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
            check_scalar(lr)
        check(lr=lr, eps=eps, betas=betas, weight_decay=weight_decay)
        tensors = [isinstance(beta, torch.Tensor) for beta in betas[:2]]
        if not (isinstance(betas[0], float) and isinstance(betas[1], float) or all(tensors)):
            raise ValueError("betas must be either both floats or both Tensors")
        for i, beta in enumerate(betas):
            if isinstance(beta, torch.Tensor):
                if not capturable and foreach:
                    raise ValueError(f"betas[{i}] as a Tensor is not supported for capturable=False and foreach=True")
                if beta.numel() != 1:
                    raise ValueError(f"Tensor betas[{i}] must be 1-element")
        switches = dict(
            maximize=maximize, foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused
        )
        defaults = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)
        defaults.update((name, switches[name]) for name in self._settings)
        super().__init__(params, defaults)
        self._finish_init(fused, foreach, differentiable)

    def _start(self, group, p, grad, state):
        super()._start(group, p, grad, state)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = torch.zeros_like(p)

    def _look(self, group, state):
        if group["amsgrad"]:
            state["max_exp_avg_sq"]
        if group["differentiable"] and state["step"].requires_grad:
            raise RuntimeError("`requires_grad` is not supported for `step` in differentiable mode")
        if group["foreach"] and isinstance(group["lr"], torch.Tensor) and not group["capturable"]:
            raise RuntimeError("lr as a Tensor is not supported for capturable=False and foreach=True")

    def _update(self, group, p, grad, state):
        beta1, beta2 = group["betas"]
        lr, eps = group["lr"], group["eps"]
        step = state["step"]
        step.add_(1)
        if self._decoupled:
            p.mul_(1 - lr * group["weight_decay"])
        elif group["weight_decay"] != 0:
            grad = grad.add(p, alpha=group["weight_decay"])
        mean, square = self._move(state, grad, beta1, beta2)
        if group["differentiable"]:
            return self._differentiable_step(group, p, mean, square, state)
        n = step.item()
        step_size = lr / (1 - beta1**n)
        correction = (1 - beta2**n) ** 0.5
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            torch.maximum(largest, square, out=largest)
            square = largest
        root = (square.sqrt() / correction).add_(eps)
        p.addcdiv_(mean, root, value=-step_size)

    def _update_together(self, group, pairs, states):
        params, grads = (list(part) for part in zip(*pairs))
        lr, decay, (beta1, beta2) = group["lr"], group["weight_decay"], group["betas"]
        plain = not (group["differentiable"] or group["amsgrad"] or group["maximize"])
        if not plain or any(isinstance(v, torch.Tensor) for v in (lr, beta1)) or not different(params):
            return False
        steps, means, squares = ([state[k] for state in states] for k in ("step", "exp_avg", "exp_avg_sq"))
        each("add_", steps, 1)
        counts = each("item", steps)
        if self._decoupled:
            each("mul_", params, 1 - lr * decay)
        elif decay != 0:
            grads = each("add", grads, params, alpha=decay)
        each("lerp_", means, grads, 1 - beta1)
        each("mul_", squares, beta2)
        each("addcmul_", squares, grads, grads, value=1 - beta2)
        roots = each("sqrt", squares)
        each("div_", roots, [(1 - beta2**n) ** 0.5 for n in counts])
        each("add_", roots, group["eps"])
        each("addcdiv_", params, means, roots, value=[-(lr / (1 - beta1**n)) for n in counts])
        return True

    def _differentiable_step(self, group, p, mean, square, state):
        """The same with tensors instead of numbers, so that a graph is recorded."""
        beta1, beta2 = group["betas"]
        step = state["step"]
        minus_size = (group["lr"] / (1 - beta1**step)).neg()
        correction = (1 - beta2**step).sqrt()
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            largest.copy_(torch.maximum(largest.clone(), square))
            square = largest
        root = (square.sqrt() / (correction * minus_size)).add_(group["eps"] / minus_size)
        p.addcdiv_(mean, root)


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameter itself."""

    _decoupled = True
    _settings = ("foreach", "maximize", "capturable", "differentiable", "fused")

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=1e-2,
        amsgrad=False,
        *,
        maximize=False,
        foreach=None,
        capturable=False,
        differentiable=False,
        fused=None,
    ):
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
        )


class Adamax(Rule):
    """Adam with a decaying maximum instead of the mean of squares."""

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        check_scalar(lr)
        check(lr=lr, eps=eps, betas=betas, weight_decay=weight_decay)
        defaults = dict(
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
            capturable=capturable,
        )
        super().__init__(params, defaults)

    def _start(self, group, p, grad, state):
        state["step"] = scalar(0.0)
        state["exp_avg"] = torch.zeros_like(p)
        state["exp_inf"] = torch.zeros_like(p)

    def _update(self, group, p, grad, state):
        beta1, beta2 = group["betas"]
        eps = group["eps"]
        step, mean, largest = state["step"], state["exp_avg"], state["exp_inf"]
        step.add_(1)
        if group["weight_decay"] != 0:
            grad = grad.add(p, alpha=group["weight_decay"])
        mean.lerp_(grad, 1 - beta1)
        if group["differentiable"]:
            both = torch.cat([largest.mul_(beta2).unsqueeze(0), grad.abs().add_(eps).unsqueeze_(0)], 0)
            largest.copy_(torch.amax(both, 0, keepdim=False))
        else:
            torch.maximum(largest.mul_(beta2), grad.abs().add_(eps), out=largest)
        p.addcdiv_(mean, largest, value=-(group["lr"] / (1 - beta1 ** step.item())))


class NAdam(_Moments):
    """Adam with Nesterov's momentum."""

    _newer = dict(Rule._newer, decoupled_weight_decay=False)
    _counters = ("step", "mu_product")
    _captured = "params, mu_products and state_steps"

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        momentum_decay=4e-3,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        check_scalar(lr)
        check(lr=lr, eps=eps, betas=betas, weight_decay=weight_decay, momentum_decay=momentum_decay)
        defaults = dict(
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            momentum_decay=momentum_decay,
            decoupled_weight_decay=decoupled_weight_decay,
            maximize=maximize,
            foreach=foreach,
            capturable=capturable,
            differentiable=differentiable,
        )
        super().__init__(params, defaults)

    def _start(self, group, p, grad, state):
        state["step"] = scalar(0.0)
        state["mu_product"] = scalar(1.0)
        state["exp_avg"] = torch.zeros_like(p)
        state["exp_avg_sq"] = torch.zeros_like(p)

    def _update(self, group, p, grad, state):
        beta1, beta2 = group["betas"]
        lr, decay = group["lr"], group["momentum_decay"]
        step, product = state["step"], state["mu_product"]
        step.add_(1)
        n = step.item()
        correction = 1 - beta2**n
        grad = self._decay(group, p, grad)
        mu = beta1 * (1.0 - 0.5 * (0.96 ** (n * decay)))
        mu_next = beta1 * (1.0 - 0.5 * (0.96 ** ((n + 1) * decay)))
        product.mul_(mu)
        mean, square = self._move(state, grad, beta1, beta2)
        root = square.div(correction).sqrt()
        if group["differentiable"]:
            root = root.add(group["eps"])
            product_next = product * mu_next
            p.addcdiv_(grad * (-lr * (1.0 - mu) / (1.0 - product)), root)
            p.addcdiv_(mean * (-lr * mu_next / (1.0 - product_next)), root)
            return
        value = product.item()
        root.add_(group["eps"])
        p.addcdiv_(grad, root, value=(-lr * (1.0 - mu) / (1.0 - value)))
        p.addcdiv_(mean, root, value=(-lr * mu_next) / (1.0 - value * mu_next))


class RAdam(_Moments):
    """Adam that begins without the division, until the mean of squares is reliable."""

    _newer = dict(Rule._newer, decoupled_weight_decay=False)

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        check_scalar(lr)
        check(lr=lr, eps=eps, betas=betas, weight_decay=weight_decay)
        defaults = dict(
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            maximize=maximize,
            foreach=foreach,
            capturable=capturable,
            decoupled_weight_decay=decoupled_weight_decay,
            differentiable=differentiable,
        )
        super().__init__(params, defaults)

    def _update(self, group, p, grad, state):
        beta1, beta2 = group["betas"]
        lr, eps = group["lr"], group["eps"]
        state["step"].add_(1)
        n = state["step"].item()
        grad = self._decay(group, p, grad)
        mean, square = self._move(state, grad, beta1, beta2)
        correction1 = 1 - beta1**n
        correction2 = 1 - beta2**n
        direction = mean / correction1
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * n * (beta2**n) / correction2
        if length > 5.0:
            root = square.sqrt()
            root = root.add(eps) if group["differentiable"] else root.add_(eps)
            rectify = (
                (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            ) ** 0.5
            p.add_(direction * lr * ((correction2**0.5) / root) * rectify, alpha=-1.0)
        else:
            p.add_(direction * lr, alpha=-1.0)


class Adafactor(Rule):
    """Keeps the squares of a matrix's gradient only as a row and a column."""

    _newer = {"foreach": None}

    def __init__(
        self,
        params,
        lr=1e-2,
        beta2_decay=-0.8,
        eps=(None, 1e-3),
        d=1.0,
        weight_decay=0.0,
        *,
        foreach=None,
        maximize=False,
    ):
        check_scalar(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 >= beta2_decay:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not 0.0 <= eps[0]:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not 0.0 <= eps[1]:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not 1.0 <= d:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        defaults = dict(
            lr=lr,
            beta2_decay=beta2_decay,
            eps=eps,
            d=d,
            weight_decay=weight_decay,
            foreach=foreach,
            maximize=maximize,
        )
        super().__init__(params, defaults)

    def _start(self, group, p, grad, state):
        state["step"] = scalar(0.0)
        if grad.dim() > 1:
            shape = list(grad.shape)
            state["row_var"] = grad.new_zeros(shape[:-1] + [1])
            state["col_var"] = grad.new_zeros(shape[:-2] + [1] + shape[-1:])
        else:
            state["variance"] = torch.zeros_like(grad)

    def _update(self, group, p, grad, state):
        eps1, eps2 = group["eps"]
        lr = group["lr"]
        if eps1 is None:
            eps1 = torch.finfo(p.dtype).eps
        state["step"].add_(1)
        n = state["step"].item()
        weight = n ** group["beta2_decay"]
        size = max(eps2, p.norm(2).item() / (p.numel() ** 0.5)) * min(lr, 1 / (n**0.5))
        if group["weight_decay"] != 0:
            p.mul_(1 - lr * group["weight_decay"])
        if grad.dim() > 1:
            row, column = state["row_var"], state["col_var"]
            for mean, dim in ((row, -1), (column, -2)):
                mean.lerp_(torch.norm(grad, dim=dim, keepdim=True).square_().div_(grad.size(dim)), weight)
            estimate = row @ column
            estimate.div_(row.mean(dim=-2, keepdim=True).clamp_(min=eps1))
        else:
            state["variance"].lerp_(grad * grad, weight)
            estimate = state["variance"].clone()
        update = estimate.clamp_(min=eps1 * eps1).rsqrt_()
        update.mul_(grad)
        clip = max(1.0, update.norm(2).item() / ((update.numel() ** 0.5) * group["d"]))
        p.add_(update, alpha=-size / clip)
