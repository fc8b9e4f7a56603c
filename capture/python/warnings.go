package python

import (
	"strings"

	"github.com/gradtui/gradtui/autograd"
)

// warningPlaces are the places in PyTorch 2.6 that warnings of its C++ code name,
// by how the texts begin. Warnings that are not here come from Python.
var warningPlaces = []struct{ text, place string }{
	{"indexing with dtype torch.uint8", "aten/src/ATen/native/IndexingUtils.h:29"},
	{"Using backward() with create_graph=True", "torch/csrc/autograd/engine.cpp:1260"},
	{"An output with one or more elements was resized", "aten/src/ATen/native/Resize.cpp:30"},
	{"The .grad attribute of a Tensor", "build/aten/src/ATen/core/TensorBody.h:489"},
	{"Using padding='same'", "aten/src/ATen/native/Convolution.cpp:1036"},
	{"index_reduce() is in beta", "aten/src/ATen/native/TensorAdvancedIndexing.cpp:1218"},
	{"torch.cholesky is deprecated", "aten/src/ATen/native/BatchLinearAlgebra.cpp:1754"},
	{"Using torch.cross without", "aten/src/ATen/native/Cross.cpp:62"},
	{"torch.lu is deprecated", "aten/src/ATen/native/BatchLinearAlgebra.cpp:2053"},
	{"torch.lu_solve is deprecated", "aten/src/ATen/native/BatchLinearAlgebra.cpp:2210"},
	{"torch.chain_matmul is deprecated", "aten/src/ATen/native/LinearAlgebra.cpp:1107"},
	{"torch.qr is deprecated", "aten/src/ATen/native/BatchLinearAlgebra.cpp:2485"},
	{"torch.triangular_solve is deprecated", "aten/src/ATen/native/BatchLinearAlgebra.cpp:2253"},
	{"Tensor.T is deprecated", "aten/src/ATen/native/TensorShape.cpp:3733"},
	{"The use of `x.T`", "aten/src/ATen/native/TensorShape.cpp:3725"},
	{"Tensor.H is deprecated", "aten/src/ATen/native/TensorShape.cpp:3746"},
	{"Tensor.mT is deprecated", "aten/src/ATen/native/TensorShape.cpp:3774"},
	{"Tensor.mH is deprecated", "aten/src/ATen/native/TensorShape.cpp:3782"},
	{"cov(): degrees of freedom", "aten/src/ATen/native/Correlation.cpp:116"},
	{"The reduce argument of torch.scatter", "aten/src/ATen/native/TensorAdvancedIndexing.cpp:231"},
	{"torch.meshgrid: in an upcoming", "aten/src/ATen/native/TensorShape.cpp:3637"},
	{"std(): degrees of freedom", "aten/src/ATen/native/ReduceOps.cpp:1831"},
	{"var(): degrees of freedom", "aten/src/ATen/native/ReduceOps.cpp:1831"},
	{"std_mean(): degrees of freedom", "aten/src/ATen/native/ReduceOps.cpp:1831"},
	{"var_mean(): degrees of freedom", "aten/src/ATen/native/ReduceOps.cpp:1831"},
	{"where received a uint8 condition", "aten/src/ATen/native/TensorCompare.cpp:529"},
	{"Use of index_put_ on expanded", "aten/src/ATen/native/TensorAdvancedIndexing.cpp:792"},
	{"Use of index_fill_ on expanded", "aten/src/ATen/native/TensorAdvancedIndexing.cpp:1489"},
	{"Use of masked_fill_ on expanded", "aten/src/ATen/native/TensorAdvancedIndexing.cpp:1991"},
	{"Only input Tensors should be given to ctx.mark_dirty()", "torch/csrc/autograd/custom_function.cpp:312"},
	{"Error detected in ", "torch/csrc/autograd/python_anomaly_mode.cpp:122"}, // with a traceback
	{"\n\nPrevious calculation was induced by", "torch/csrc/autograd/python_anomaly_mode.cpp:135"},
}

// warn hands a warning of the engine to Python.
func (s *session) warn(w autograd.Warning) {
	text := w.Text
	for _, p := range warningPlaces {
		if strings.HasPrefix(text, p.text) {
			if strings.Contains(text, "No forward pass information available.") {
				p.place = "torch/csrc/autograd/python_anomaly_mode.cpp:100"
			}
			text += " (Triggered internally at ./" + p.place + ".)"
			break
		}
	}
	s.callback(0, []any{w.Category, text})
}
