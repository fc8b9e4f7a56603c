package autograd

import (
	"maps"
	"slices"
	"strings"
)

// Facts about operators that the gradient check needs besides their signatures.

// sampleDomains are the domains of operators that are not smooth, or not
// defined, everywhere.
var sampleDomains = map[string]string{
	"log": "positive", "log2": "positive", "log10": "positive", "log1p": "positive",
	"sqrt": "positive", "rsqrt": "positive", "pow.Tensor_Tensor": "positive", "pow.Tensor_Scalar": "positive",
	"float_power.Tensor_Tensor": "positive", "float_power.Tensor_Scalar": "positive",
	"float_power_.Tensor": "positive", "float_power_.Scalar": "positive",
	"xlogy.Tensor": "positive", "xlogy.Scalar_Self": "positive", "special_xlog1py": "positive", "special_entr": "positive",
	"lgamma": "positive", "digamma": "positive",
	"logit": "unit", "special_ndtri": "unit", "poisson": "positive", "_standard_gamma": "positive", "_standard_gamma_grad": "positive", "_sample_dirichlet": "positive", "_dirichlet_grad": "positive", "binomial": "unit", "bernoulli": "unit", "normal.float_Tensor": "unit",
	"erfinv": "inner", "asin": "inner", "acos": "inner", "atanh": "inner", "atanh_": "inner",
	"acosh": "above1", "acosh_": "above1",
	"binary_cross_entropy": "unit", "nn_functional_binary_cross_entropy": "unit",
	"kl_div": "positive", "nn_functional_kl_div": "positive",
}

// constantResults are the composed operators whose results are integers, bools,
// or values without a gradient.
var constantResults = map[string]string{
	"long": "integers", "int": "integers", "short": "integers", "char": "integers", "byte": "integers", "bool": "booleans",
	"isclose": "booleans", "allclose": "booleans", "is_nonzero": "booleans",
	"__invert__": "integers", "__rlshift__": "integers", "__rrshift__": "integers",
	"where": "indices", "nonzero_numpy": "indices", "nonzero.as_tuple": "indices", "argwhere": "indices",
	"argsort": "indices", "argsort.stable": "indices",
	"new_tensor": "copies data", "tensor": "copies data", "as_tensor": "non-tensor data", "asarray": "non-tensor data",
	"bernoulli.p": "the input gives only its shape", "where.Scalar": "numbers",
}

// raising are the composed operators whose derivatives raise, with words of the
// error.
var raising = map[string]string{
	"imag":   "imag is not implemented for tensors with non-complex dtypes.",
	"ldexp_": "functions with out=... arguments don't support automatic differentiation",
	"vander": "has been modified by an inplace operation",
}

// underivable are the operators whose derivative PyTorch 2.6 does not
// implement: backward raises.
var underivable = set(
	"hardsigmoid_backward", "silu_backward", "mish_backward", "_scaled_dot_product_flash_attention_for_cpu_backward",
	"heaviside", "bincount", "histogram", "floor_divide", "remainder", "aminmax", "scatter",
	"_embedding_bag_per_sample_weights_backward", "_ctc_loss_backward", "multi_margin_loss_backward",
	"multilabel_margin_loss_backward", "_embedding_bag_backward",
	"grid_sampler_2d_backward", "grid_sampler_3d_backward", "nextafter", "_cdist_backward", "_pdist_backward", "_unique2", "unique_dim", "unique_consecutive", "geqrf", "binomial", "igamma: input", "igammac: input", "zeta",
	"_standard_gamma_grad", "_sample_dirichlet", "_dirichlet_grad",
	"set", "set_",
	"inplace version of asinh", "inplace version of acosh", "inplace version of atanh",
)

// withoutForward are the operators with a derivative but without forward mode
// in PyTorch 2.6.
var withoutForward = set(
	"rrelu_with_noise_", "_standard_gamma", "nextafter", "_cdist_forward", "_cdist_backward", "_euclidean_dist", "_pdist_forward", "_pdist_backward",
	"asinh_", "acosh_", "atanh_", "_unique2", "unique_dim", "unique_consecutive",
	"_softmax_backward_data", "_log_softmax_backward_data", "huber_loss_backward", "soft_margin_loss_backward",
	"_scaled_dot_product_flash_attention_for_cpu", "_embedding_bag", "mkldnn_rnn_layer", "index_reduce", "native_layer_norm_backward", "native_batch_norm_backward",
	"grid_sampler_2d", "grid_sampler_3d",
	"_weight_norm_interface", "geqrf", "linalg_householder_product", "ormqr", "cholesky_inverse", "frexp", "special_zeta", "igamma", "igammac", "cholesky", "_embedding_bag_backward", "_ctc_loss", "multi_margin_loss", "multilabel_margin_loss_forward", "nll_loss_backward", "nll_loss2d_backward",
)

// insideOthers are the operators of backward formulas whose derivative treats
// some arguments as functions of others. The value is the operator through
// whose second derivative they are checked.
var insideOthers = map[string]string{
	"log_sigmoid_backward":       "log_sigmoid_forward",
	"native_layer_norm_backward": "native_layer_norm",
	"native_batch_norm_backward": "native_batch_norm",
}

// lostTangents are the values of reduce= for which PyTorch silently drops the
// tangent: it counts as zero.
var lostTangents = map[string]string{"scatter_reduce.two": "reduce=prod"}

// firstOnly are the operators whose second derivative is wrong in PyTorch: it
// treats the norm as a constant.
var firstOnly = set("_weight_norm", "_weight_norm_interface")

// viewsOfSaved are the operators whose result is a view of a saved tensor. It
// must not be changed in place.
var viewsOfSaved = set("norm_except_dim")

// zeroByDesign are the operators through which PyTorch does not propagate
// gradients, although their results depend on the argument.
var zeroByDesign = set("poisson", "normal.Tensor_float", "normal.float_Tensor", "normal.Tensor_Tensor")

// implicit are the operators that are differentiated through the distribution,
// not through the algorithm that draws the numbers.
var implicit = set("_standard_gamma")

// coarse are the perturbations for operators that round, with the tolerances of
// the differences.
var coarse = map[string]GradCheckOptions{
	"float":    {Eps: 1e-2, ATol: 1e-4},
	"half":     {Eps: 0.25, ATol: 1e-2},
	"bfloat16": {Eps: 0.25, ATol: 5e-2},
}

func set(names ...string) map[string]bool {
	s := map[string]bool{}
	for _, name := range names {
		s[name] = true
	}
	return s
}

// indexArguments are index expressions and other non-tensor arguments, by the
// names that samples use.
var indexArguments = map[string]any{
	"$row":     []any{1},
	"$part":    []any{Slice{nil, nil, nil}, Slice{1, nil, nil}},
	"$mixed":   []any{Ellipsis, nil, Slice{0, 3, 2}},
	"$gather":  []any{New([]int{1, 0, 1})},
	"$pairs":   []any{New([]int{1, 0, 1}), New([]int{2, 2, 0})},
	"$apart":   []any{New([]int{1, 0}), nil, New([]int{2, 0})},
	"$mask":    []any{New([][]bool{{true, false, true}, {false, true, true}})},
	"$one":     1.5,
	"$lengths": []int{4, 3}, "$targets": []int{2, 1},
	"$straight": New([]int{1, 2}, WithDType(Int32)), "$swapped": New([]int{2, 2}, WithDType(Int32)), "$three": New([]int{2, 3, 3}, WithDType(Int32)),
	"$dims": []any{[]int{1}, []int{0}},
	"$data": []any{1.5, 2.5},
}

// writtenSamples are the samples of operators whose signature does not
// determine them.
var writtenSamples = merged(shapeSamples, indexSamples, linalgSamples, decompositionSamples, gridSamples, activationSamples, lossSamples, convSamples, poolSamples, normSamples, resizeSamples, otherSamples, viewCopySamples())

// viewCopySamples returns the samples of the views for their copies.
func viewCopySamples() map[string][]string {
	samples := map[string][]string{}
	for name, texts := range shapeSamples {
		base, overload, dotted := strings.Cut(name, ".")
		if slices.Contains(copiedViews, base) && name != "split.sizes" && name != "slice.Tensor" { // used only by other operators
			key := base + "_copy"
			if dotted {
				key += "." + overload
			}
			samples[key] = texts
		}
	}
	return samples
}

func merged(families ...map[string][]string) map[string][]string {
	all := map[string][]string{}
	for _, f := range families {
		maps.Copy(all, f)
	}
	return all
}
