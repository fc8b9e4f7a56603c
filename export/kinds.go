package export

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gradtui/gradtui/internal/arrange"
)

// opKind groups operations by what they are for; the style layers colours them by it.
type opKind uint8

const (
	otherOp      opKind = iota // arithmetic, and whatever is not known
	weightOp                   // multiplies by weights, or by another tensor
	normOp                     // normalizes
	activationOp               // elementwise and nonlinear, and softmax
	poolOp                     // reduces
	lossOp                     // compares with a target
	shapeOp                    // moves elements, and computes nothing
	hiddenOp                   // changes only how elements are addressed
)

// kindNames are what legends call the kinds.
var kindNames = [...]string{
	otherOp: "arithmetic", weightOp: "matrix product, convolution, embedding", normOp: "normalization",
	activationOp: "activation", poolOp: "reduction, pooling", lossOp: "loss", shapeOp: "indexing, joining",
}

// opKinds says which operations are of which kind, by the name of the node without
// "Backward0".
var opKinds = kindsOf(map[opKind]string{
	weightOp: `Addmm Mm Bmm Baddbmm Addbmm Mv Addmv Dot Vdot Addr Linear Convolution ConvolutionOverrideable
		CudnnConvolution MkldnnConvolution MiopenConvolution SlowConv2D ThnnConv2D Embedding EmbeddingBag Bilinear
		ScaledDotProductEfficientAttention ScaledDotProductFlashAttention ScaledDotProductFlashAttentionForCpu
		ScaledDotProductFusedAttentionOverrideable ScaledDotProductCudnnAttention NativeMultiHeadAttention
		Trilinear Cdist SparseAddmm MkldnnLinear CudnnRnn ThnnFusedLstmCell ThnnFusedGruCell`,
	normOp: `NativeBatchNorm NativeLayerNorm NativeGroupNorm CudnnBatchNorm MiopenBatchNorm NativeBatchNormLegit
		WeightNormInterface FusedRmsNorm BatchNorm`,
	activationOp: `Relu LeakyRelu Gelu Silu Sigmoid Tanh Softmax LogSoftmax Elu Hardtanh Hardswish Hardsigmoid Softplus
		Softshrink Hardshrink Mish Prelu PreluKernel Rrelu RreluWithNoise LogSigmoid Glu Threshold Celu Selu Relu6
		SparseSoftmax SparseLogSoftmax MaskedSoftmax`,
	poolOp: `Mean Sum Amax Amin Max Min Prod Logsumexp Std Var StdMean VarMean Norm LinalgVectorNorm Median Mode
		MaxPool2DWithIndices MaxPool3DWithIndices MaxPool1DWithIndices AvgPool2D AvgPool3D AdaptiveAvgPool2D
		AdaptiveAvgPool3D AdaptiveMaxPool2D AdaptiveMaxPool3D FractionalMaxPool2D MkldnnMaxPool2D Nansum`,
	lossOp: `NllLoss NllLoss2D NllLossNd MseLoss BinaryCrossEntropy BinaryCrossEntropyWithLogits SmoothL1Loss HuberLoss
		KlDiv CtcLoss CudnnCtcLoss SoftMarginLoss MultiMarginLoss MultilabelMarginLoss CrossEntropyLoss`,
	shapeOp: `Cat Stack Split SplitWithSizes Unbind Select Slice Index IndexSelect Gather Take Repeat RepeatInterleave
		ConstantPadNd ReflectionPad1D ReflectionPad2D ReplicationPad1D ReplicationPad2D Roll Flip Unfold Diagonal Tril
		Triu ToCopy Chunk Narrow SelectBackward SliceBackward CopySlices AsStrided Where MaskedSelect Scatter`,
	hiddenOp: strings.Join(slices.Collect(arrange.Views), " "),
})

func kindsOf(names map[opKind]string) map[string]opKind {
	kinds := map[string]opKind{}
	for kind, list := range names {
		for name := range strings.FieldsSeq(list) {
			kinds[name] = kind
		}
	}
	return kinds
}

// moving are the operations of the kinds shapeOp and hiddenOp, as programs call them.
var moving = func() map[string]bool {
	names := map[string]bool{"detach": true, "contiguous": true, "to": true, "float": true, "long": true}
	for name, kind := range opKinds {
		if kind == shapeOp || kind == hiddenOp {
			names[snake(name)] = true
		}
	}
	return names
}()

// movesOnly reports whether an operation of a program computes nothing.
func movesOnly(op string) bool { return moving[strings.TrimPrefix(op, "_")] }

// calledAs are operations that programs call by another name.
var calledAs = map[string]string{
	"mm": "matmul", "bmm": "matmul", "native_layer_norm": "layer_norm", "native_batch_norm": "batch_norm",
	"native_group_norm": "group_norm", "cudnn_batch_norm": "batch_norm", "native_batch_norm_legit": "batch_norm",
	"convolution": "conv", "cudnn_convolution": "conv", "mkldnn_convolution": "conv", "nll_loss_nd": "nll_loss",
	"max_pool2_d_with_indices": "max_pool2d", "avg_pool2_d": "avg_pool2d", "adaptive_avg_pool2_d": "adaptive_avg_pool2d",
	"nll_loss2_d": "nll_loss2d", "linalg_vector_norm": "vector_norm", "split_with_sizes": "split",
	"scaled_dot_product_flash_attention_for_cpu": "scaled_dot_product_attention",
	"scaled_dot_product_flash_attention":         "scaled_dot_product_attention",
	"scaled_dot_product_efficient_attention":     "scaled_dot_product_attention",
}

// functionName is what programs call an operation, by the name of its node: "log_softmax".
func functionName(node string) string {
	name := snake(arrange.Operation(node))
	if called, ok := calledAs[name]; ok {
		return called
	}
	return name
}

// snake turns "LogSoftmax" into "log_softmax".
func snake(s string) string {
	var b strings.Builder
	before := rune(0)
	for _, r := range s {
		if unicode.IsUpper(r) {
			if before != 0 && before != '_' && !unicode.IsUpper(before) {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}
