package autograd

func init() { register(scatterOps) }

var scatterOps = []Op{
	{
		Schema: "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			return nil, fail(NotImplementedError, CodeUnsupported, "index_add")
		},
	},
	{
		Schema: "narrow(Tensor self, int dim, int start, int length) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			return nil, fail(NotImplementedError, CodeUnsupported, "narrow")
		},
	},
}
