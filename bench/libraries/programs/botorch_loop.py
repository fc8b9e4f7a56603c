"""BoTorch: two rounds of Bayesian optimisation with a fitted GP and expected improvement.

packages: botorch, gpytorch
"""
import torch
from botorch.acquisition import qLogExpectedImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.models.transforms import Normalize, Standardize
from botorch.optim import optimize_acqf
from gpytorch.mlls import ExactMarginalLogLikelihood

torch.manual_seed(0)


def goal(x):
    return -((x - 0.3) ** 2).sum(-1, keepdim=True)


x = torch.rand(6, 2, dtype=torch.double)
y = goal(x)
bounds = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.double)
for trial in range(2):
    gp = SingleTaskGP(x, y, input_transform=Normalize(2), outcome_transform=Standardize(1))
    fit_gpytorch_mll(ExactMarginalLogLikelihood(gp.likelihood, gp), optimizer_kwargs={"options": {"maxiter": 15}})
    acquisition = qLogExpectedImprovement(gp, best_f=y.max())
    candidate, _ = optimize_acqf(acquisition, bounds, q=1, num_restarts=2, raw_samples=8, options={"maxiter": 10})
    x, y = torch.cat([x, candidate]), torch.cat([y, goal(candidate)])
    print(trial, round(y.max().item(), 4))
