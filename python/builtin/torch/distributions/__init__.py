"""Probability distributions: samples, densities, transforms and divergences."""

import sys
import types

from . import constraints, transforms
from ._continuous import (
    Cauchy,
    Chi2,
    Exponential,
    FisherSnedecor,
    Gamma,
    Laplace,
    Normal,
    StudentT,
    Uniform,
    VonMises,
)
from ._discrete import (
    Bernoulli,
    Binomial,
    Categorical,
    ContinuousBernoulli,
    ExpRelaxedCategorical,
    Geometric,
    LogitRelaxedBernoulli,
    MixtureSameFamily,
    Multinomial,
    NegativeBinomial,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
    Poisson,
)
from ._joint import Beta, Dirichlet, LKJCholesky, LowRankMultivariateNormal, MultivariateNormal, Wishart
from ._transformed import (
    Gumbel,
    HalfCauchy,
    HalfNormal,
    InverseGamma,
    Kumaraswamy,
    LogisticNormal,
    LogNormal,
    Pareto,
    RelaxedBernoulli,
    RelaxedOneHotCategorical,
    Weibull,
)
from .constraint_registry import biject_to, transform_to
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .kl import kl_divergence, register_kl
from .transformed_distribution import Independent, TransformedDistribution
from .transforms import *
from torch._namespace import missing

# The modules in which programs look for the classes.
_MODULES = {
    "bernoulli": [Bernoulli],
    "beta": [Beta],
    "binomial": [Binomial],
    "categorical": [Categorical],
    "cauchy": [Cauchy],
    "chi2": [Chi2],
    "continuous_bernoulli": [ContinuousBernoulli],
    "dirichlet": [Dirichlet],
    "exp_family": [ExponentialFamily],
    "exponential": [Exponential],
    "fishersnedecor": [FisherSnedecor],
    "gamma": [Gamma],
    "geometric": [Geometric],
    "gumbel": [Gumbel],
    "half_cauchy": [HalfCauchy],
    "half_normal": [HalfNormal],
    "independent": [Independent],
    "inverse_gamma": [InverseGamma],
    "kumaraswamy": [Kumaraswamy],
    "laplace": [Laplace],
    "lkj_cholesky": [LKJCholesky],
    "log_normal": [LogNormal],
    "logistic_normal": [LogisticNormal],
    "lowrank_multivariate_normal": [LowRankMultivariateNormal],
    "mixture_same_family": [MixtureSameFamily],
    "multinomial": [Multinomial],
    "multivariate_normal": [MultivariateNormal],
    "negative_binomial": [NegativeBinomial],
    "normal": [Normal],
    "one_hot_categorical": [OneHotCategorical, OneHotCategoricalStraightThrough],
    "pareto": [Pareto],
    "poisson": [Poisson],
    "relaxed_bernoulli": [RelaxedBernoulli, LogitRelaxedBernoulli],
    "relaxed_categorical": [RelaxedOneHotCategorical, ExpRelaxedCategorical],
    "studentT": [StudentT],
    "uniform": [Uniform],
    "von_mises": [VonMises],
    "weibull": [Weibull],
    "wishart": [Wishart],
}


def _beside(full, home):
    """The __getattr__ of a module: what PyTorch's module imports, or has for itself, programs import from there, too."""

    def __getattr__(name):
        for place in (home, __name__):
            if not name.startswith("__") and name in vars(sys.modules[place]):
                return vars(sys.modules[place])[name]
        raise AttributeError("module '%s' has no attribute '%s'" % (full, name))

    return __getattr__


def _place(name, classes):
    full = __name__ + "." + name
    module = sys.modules.get(full)
    if module is None:
        module = sys.modules[full] = types.ModuleType(full)
        module.__all__ = [cls.__name__ for cls in classes]
        module.__getattr__ = _beside(full, classes[0].__module__)
        for cls in classes:
            setattr(module, cls.__name__, cls)
    setattr(sys.modules[__name__], name, module)
    for cls in classes:
        cls.__module__ = full


for _name, _classes in _MODULES.items():
    _place(_name, _classes)

__all__ = sorted(
    {cls.__name__ for classes in _MODULES.values() for cls in classes} - {"LogitRelaxedBernoulli", "ExpRelaxedCategorical"}
    | {"Distribution", "TransformedDistribution", "biject_to", "kl_divergence", "register_kl", "transform_to"}
)
__all__.extend(transforms.__all__)


__getattr__ = missing(__name__)
