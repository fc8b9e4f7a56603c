"""SGD and the optimizers that scale its steps by sizes of past gradients."""

import torch

from ._rule import Rule, check, check_scalar, different, each, number, scalar


class SGD(Rule):
    """Stochastic gradient descent, with momentum if it is asked for."""

    _newer = {"nesterov": False, "maximize": False, "foreach": None, "differentiable": False, "fused": False}

    def __init__(
        self,
        params,
        lr=1e-3,
        momentum=0,
        dampening=0,
        weight_decay=0,
        nesterov=False,
        *,
        maximize=False,
        foreach=None,
        differentiable=False,
        fused=None,
    ):
        check_scalar(lr)
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        defaults = dict(
            lr=lr,
            momentum=momentum,
            dampening=dampening,
            weight_decay=weight_decay,
            nesterov=nesterov,
            maximize=maximize,
            foreach=foreach,
            differentiable=differentiable,
            fused=fused,
        )
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)
        self._finish_init(fused, foreach, differentiable)

    def _apply(self, group, pairs):
        lr, momentum, decay = group["lr"], group["momentum"], group["weight_decay"]
        maximize, nesterov = group["maximize"], group["nesterov"]
        if len(pairs) > 1 and decay == 0 and not (maximize or nesterov) and self._apply_together(group, pairs):
            return
        # All buffers are looked up before the first changes: a parameter that
        # is listed twice has none at either place in the first step.
        buffers = [self.state[p].get("momentum_buffer") for p, _ in pairs] if momentum != 0 else []
        for i, (p, grad) in enumerate(pairs):
            if maximize:
                grad = -grad
            if decay != 0:
                grad = grad.add(p, alpha=decay)
            if momentum != 0:
                buffer = buffers[i]
                if buffer is None:
                    buffer = buffers[i] = torch.clone(grad).detach()
                else:
                    buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
                grad = grad.add(buffer, alpha=momentum) if nesterov else buffer
            p.add_(grad, alpha=-lr)
        for (p, _), buffer in zip(pairs, buffers):
            self.state[p]["momentum_buffer"] = buffer


    def _apply_together(self, group, pairs):
        """The common case for many parameters at once; false if it is not that."""
        params, grads = (list(part) for part in zip(*pairs))
        if not different(params):
            return False
        steps, momentum = grads, group["momentum"]
        if momentum != 0:
            steps = [self.state[p].get("momentum_buffer") for p in params]
            if any(buffer is None for buffer in steps):
                return False
            each("mul_", steps, momentum)
            each("add_", steps, grads, alpha=1 - group["dampening"])
        each("add_", params, steps, alpha=-group["lr"])
        return True


class RMSprop(Rule):
    """Divides the step by the root of a running mean of squared gradients."""

    _newer = dict(Rule._newer, momentum=0, centered=False)

    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0,
        momentum=0,
        centered=False,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        check_scalar(lr)
        check(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        defaults = dict(
            lr=lr,
            momentum=momentum,
            alpha=alpha,
            eps=eps,
            centered=centered,
            weight_decay=weight_decay,
            capturable=capturable,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
        )
        super().__init__(params, defaults)

    def _start(self, group, p, grad, state):
        state["step"] = scalar(0.0)
        state["square_avg"] = torch.zeros_like(p)
        if group["momentum"] > 0:
            state["momentum_buffer"] = torch.zeros_like(p)
        if group["centered"]:
            state["grad_avg"] = torch.zeros_like(p)

    def _look(self, group, state):
        if group["momentum"] > 0:
            state["momentum_buffer"]
        if group["centered"]:
            state["grad_avg"]

    def _update(self, group, p, grad, state):
        lr, alpha, eps, momentum = group["lr"], group["alpha"], group["eps"], group["momentum"]
        state["step"].add_(1)
        if group["weight_decay"] != 0:
            grad = grad.add(p, alpha=group["weight_decay"])
        square = state["square_avg"]
        square.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"]
            mean.lerp_(grad, 1 - alpha)
            root = square.addcmul(mean, mean, value=-1).sqrt_()
        else:
            root = square.sqrt()
        root = root.add(eps) if group["differentiable"] else root.add_(eps)
        if momentum > 0:
            buffer = state["momentum_buffer"]
            buffer.mul_(momentum).addcdiv_(grad, root)
            p.add_(buffer, alpha=-lr)
        else:
            p.addcdiv_(grad, root, value=-lr)


class Adagrad(Rule):
    """Divides the step by the root of the sum of all squared gradients."""

    _newer = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}

    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0,
        weight_decay=0,
        initial_accumulator_value=0,
        eps=1e-10,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        fused=None,
    ):
        check_scalar(lr)
        check(
            lr=lr,
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
        )
        check(eps=eps)
        defaults = dict(
            lr=lr,
            lr_decay=lr_decay,
            eps=eps,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
            fused=fused,
        )
        super().__init__(params, defaults)
        self._finish_init(fused, foreach, differentiable)
        for group in self.param_groups:
            for p in group["params"]:
                self._start(group, p, None, self.state[p])

    def _start(self, group, p, grad, state):
        state["step"] = scalar(0.0, group["fused"])
        state["sum"] = torch.full_like(p, group["initial_accumulator_value"])

    def _update(self, group, p, grad, state):
        step = state["step"]
        step.add_(1)
        if group["weight_decay"] != 0:
            grad = grad.add(p, alpha=group["weight_decay"])
        lr = group["lr"] / (1 + (step.item() - 1) * group["lr_decay"])
        total = state["sum"]
        total.addcmul_(grad, grad, value=1)
        root = total.sqrt()
        root = root + group["eps"] if group["differentiable"] else root.add_(group["eps"])
        p.addcdiv_(grad, root, value=-lr)


class Adadelta(Rule):
    """Scales the step by running means of squared gradients and of squared steps."""

    _capturable_devices = Rule._capturable_devices[:-1]

    def __init__(
        self,
        params,
        lr=1.0,
        rho=0.9,
        eps=1e-6,
        weight_decay=0,
        foreach=None,
        *,
        capturable=False,
        maximize=False,
        differentiable=False,
    ):
        check_scalar(lr)
        check(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay)
        defaults = dict(
            lr=lr,
            rho=rho,
            eps=eps,
            weight_decay=weight_decay,
            maximize=maximize,
            capturable=capturable,
            foreach=foreach,
            differentiable=differentiable,
        )
        super().__init__(params, defaults)

    def _start(self, group, p, grad, state):
        state["step"] = scalar(0.0)
        state["square_avg"] = torch.zeros_like(p)
        state["acc_delta"] = torch.zeros_like(p)

    def _update(self, group, p, grad, state):
        rho, eps = group["rho"], group["eps"]
        square, deltas = state["square_avg"], state["acc_delta"]
        state["step"].add_(1)
        if group["weight_decay"] != 0:
            grad = grad.add(p, alpha=group["weight_decay"])
        square.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        root = square.add(eps).sqrt_()
        delta = deltas.add(eps).sqrt_()
        if group["differentiable"]:
            delta = delta.clone()
        delta.div_(root).mul_(grad)
        deltas.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        p.add_(delta, alpha=-group["lr"])


class ASGD(Rule):
    """Gradient descent that also keeps the mean of the parameters, as state "ax"."""

    _counters = ("step", "eta", "mu")
    _captured = "params, mus, etas, and state_steps"

    def __init__(
        self,
        params,
        lr=1e-2,
        lambd=1e-4,
        alpha=0.75,
        t0=1e6,
        weight_decay=0,
        foreach=None,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        check_scalar(lr)
        check(lr=lr, weight_decay=weight_decay)
        defaults = dict(
            lr=lr,
            lambd=lambd,
            alpha=alpha,
            t0=t0,
            weight_decay=weight_decay,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
            capturable=capturable,
        )
        super().__init__(params, defaults)

    def _start(self, group, p, grad, state):
        state["step"] = scalar(0.0)
        state["eta"] = scalar(number(group["lr"]))
        state["mu"] = scalar(1.0)
        state["ax"] = torch.zeros_like(p)

    def _update(self, group, p, grad, state):
        lr, lambd = group["lr"], group["lambd"]
        step, eta, mu, mean = state["step"], state["eta"], state["mu"], state["ax"]
        step.add_(1)
        if group["weight_decay"] != 0:
            grad = grad.add(p, alpha=group["weight_decay"])
        rate = eta.item()
        p.mul_(1 - lambd * rate)
        p.add_(grad, alpha=-rate)
        if mu.item() != 1:
            mean.add_(p.sub(mean).mul_(mu))
        else:
            mean.copy_(p)
        n = step.item()
        eta.copy_(torch.as_tensor(lr / ((1 + lambd * lr * n) ** group["alpha"])))
        mu.copy_(torch.as_tensor(1 / max(1, n - group["t0"])))


class Rprop(Rule):
    """Steps by the sign of the gradient; the size grows while the sign stays."""

    def __init__(
        self,
        params,
        lr=1e-2,
        etas=(0.5, 1.2),
        step_sizes=(1e-6, 50),
        *,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        check_scalar(lr)
        check(lr=lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = dict(
            lr=lr,
            etas=etas,
            step_sizes=step_sizes,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
            capturable=capturable,
        )
        super().__init__(params, defaults)

    def _start(self, group, p, grad, state):
        state["step"] = scalar(0.0)
        state["prev"] = torch.zeros_like(p)
        state["step_size"] = torch.full_like(grad, number(group["lr"]))

    def _update(self, group, p, grad, state):
        shrink, grow = group["etas"]
        smallest, largest = group["step_sizes"]
        before, size = state["prev"], state["step_size"]
        state["step"].add_(1)
        sign = grad.mul(before.clone() if group["differentiable"] else before).sign()
        sign[sign.gt(0)] = grow
        sign[sign.lt(0)] = shrink
        sign[sign.eq(0)] = 1
        size.mul_(sign).clamp_(smallest, largest)
        grad = grad.clone()
        grad[sign.eq(shrink)] = 0
        p.addcmul_(grad.sign(), size, value=-1)
        before.copy_(grad)
