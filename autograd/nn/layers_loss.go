package nn

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// The deprecated arguments size_average and reduce are not supported; reduction
// replaces them.
var lossLayers = []class{
	{sig: "L1Loss(*, str reduction='mean')", inputs: "input target", call: "l1_loss reduction=reduction"},
	{sig: "MSELoss(*, str reduction='mean')", inputs: "input target", call: "mse_loss reduction=reduction"},
	{sig: "SmoothL1Loss(*, str reduction='mean', float beta=1.0)", inputs: "input target", call: "smooth_l1_loss reduction=reduction beta=beta"},
	{sig: "HuberLoss(str reduction='mean', float delta=1.0)", inputs: "input target", call: "huber_loss reduction=reduction delta=delta"},
	{sig: "SoftMarginLoss(*, str reduction='mean')", inputs: "input target", call: "soft_margin_loss reduction=reduction"},
	{sig: "MultiLabelMarginLoss(*, str reduction='mean')", inputs: "input target", call: "multilabel_margin_loss reduction=reduction"},
	{sig: "HingeEmbeddingLoss(float margin=1.0, *, str reduction='mean')", inputs: "input target", call: "hinge_embedding_loss margin=margin reduction=reduction"},
	{sig: "KLDivLoss(*, str reduction='mean', bool log_target=False)", inputs: "input target", call: "kl_div reduction=reduction log_target=log_target"},
	{sig: "PoissonNLLLoss(bool log_input=True, bool full=False, *, float eps=1e-08, str reduction='mean')", inputs: "log_input target", call: "poisson_nll_loss log_input=log_input full=full eps=eps reduction=reduction"},
	{sig: "GaussianNLLLoss(*, bool full=False, float eps=1e-06, str reduction='mean')", inputs: "input target var", call: "gaussian_nll_loss full=full eps=eps reduction=reduction"},
	{sig: "NLLLoss(Tensor? weight=None, *, int ignore_index=-100, str reduction='mean')", inputs: "input target", call: "nll_loss weight=weight ignore_index=ignore_index reduction=reduction", build: keepTensors("weight")},
	{sig: "CrossEntropyLoss(Tensor? weight=None, *, int ignore_index=-100, str reduction='mean', float label_smoothing=0.0)", inputs: "input target", call: "cross_entropy weight=weight ignore_index=ignore_index reduction=reduction label_smoothing=label_smoothing", build: keepTensors("weight")},
	{sig: "BCELoss(Tensor? weight=None, *, str reduction='mean')", inputs: "input target", call: "binary_cross_entropy weight=weight reduction=reduction", build: keepTensors("weight")},
	{sig: "BCEWithLogitsLoss(Tensor? weight=None, *, str reduction='mean', Tensor? pos_weight=None)", inputs: "input target", call: "binary_cross_entropy_with_logits weight pos_weight=pos_weight reduction=reduction", build: keepTensors("weight", "pos_weight")},
	{sig: "MultiLabelSoftMarginLoss(Tensor? weight=None, *, str reduction='mean')", inputs: "input target", call: "multilabel_soft_margin_loss weight=weight reduction=reduction", build: keepTensors("weight")},
	{sig: "CosineEmbeddingLoss(float margin=0.0, *, str reduction='mean')", inputs: "input1 input2 target", call: "cosine_embedding_loss margin=margin reduction=reduction"},
	{sig: "MarginRankingLoss(float margin=0.0, *, str reduction='mean')", inputs: "input1 input2 target", call: "margin_ranking_loss margin=margin reduction=reduction"},
	{
		sig: "MultiMarginLoss(int p=1, float margin=1.0, Tensor? weight=None, *, str reduction='mean')", inputs: "input target",
		call: "multi_margin_loss p=p margin=margin weight=weight reduction=reduction",
		build: func(m *Module, c *pycall.Args) error {
			if p := c.Int("p"); p != 1 && p != 2 {
				return raise(autograd.ValueError, "only p == 1 and p == 2 supported")
			}
			if w := c.Tensor("weight"); w != nil && w.Dim() != 1 {
				return raise(autograd.ValueError, fmt.Sprintf("MultiMarginLoss: expected weight to be None or 1D tensor, got %dD instead", w.Dim()))
			}
			return keepTensors("weight")(m, c)
		},
	},
	{
		sig: "TripletMarginLoss(float margin=1.0, float p=2.0, float eps=1e-06, bool swap=False, *, str reduction='mean')", inputs: "anchor positive negative",
		call: "triplet_margin_loss margin=margin p=p eps=eps swap=swap reduction=reduction",
		build: func(m *Module, c *pycall.Args) error {
			if c.Float("margin") <= 0 {
				return raise(autograd.ValueError, fmt.Sprintf("TripletMarginLoss: expected margin to be greater than 0, got %s instead", pycall.Repr(c.Value("margin"))))
			}
			return nil
		},
	},
	{
		sig: "CTCLoss(int blank=0, str reduction='mean', bool zero_infinity=False)", inputs: "log_probs targets input_lengths target_lengths",
		call: "ctc_loss blank reduction zero_infinity",
	},
	{sig: "CosineSimilarity(int dim=1, float eps=1e-08)", inputs: "x1 x2", call: "cosine_similarity dim eps"},
	{sig: "PairwiseDistance(float p=2.0, float eps=1e-06, bool keepdim=False)", inputs: "x1 x2", call: "pairwise_distance p eps keepdim"},
}

// keepTensors registers tensor arguments as buffers.
func keepTensors(names ...string) func(m *Module, c *pycall.Args) error {
	return func(m *Module, c *pycall.Args) error {
		for _, name := range names {
			if err := m.RegisterBuffer(name, c.Tensor(name), true); err != nil {
				return err
			}
		}
		return nil
	}
}
