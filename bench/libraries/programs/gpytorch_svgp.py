"""GPyTorch: a sparse variational Gaussian process trained on batches.

packages: gpytorch
"""
import gpytorch
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.rand(40, 1)
y = torch.sin(6 * x[:, 0])


class SVGP(gpytorch.models.ApproximateGP):
    def __init__(self, inducing):
        distribution = gpytorch.variational.CholeskyVariationalDistribution(len(inducing))
        strategy = gpytorch.variational.VariationalStrategy(self, inducing, distribution, learn_inducing_locations=True)
        super().__init__(strategy)
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=2.5))

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


model, likelihood = SVGP(x[:8].clone()), gpytorch.likelihoods.GaussianLikelihood()
optimizer = torch.optim.Adam([{"params": model.parameters()}, {"params": likelihood.parameters()}], lr=0.05)
mll = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=len(y))
for epoch in range(3):
    for xb, yb in DataLoader(TensorDataset(x, y), batch_size=10):
        optimizer.zero_grad()
        loss = -mll(model(xb), yb)
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 3))
