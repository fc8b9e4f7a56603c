package autograd

// families is the catalogue of operators, in the sections of
// docs/use/operators.md. A table is in a file ops_*.go, or derived by a
// function there; each entry of a table is one operator. The order is the order
// of [Ops], and the order in which a call tries overloads that differ in more
// than the types of their parameters.
var families = []struct {
	title  string
	tables [][]Op
}{
	{"Arithmetic", [][]Op{
		arithmeticOps, binaryOps, gammaOps, divideOps, fusedOps, minMaxOps, powOps, bitwiseOps,
	}},
	{"Elementwise functions", [][]Op{
		besselOps(), expOps, partsOfNumbers, polynomialOps(), roundOps, specialOps, trigOps, distanceOps,
	}},
	{"Comparison, logic and selection", [][]Op{
		compareOps, compareInPlaceOps, logicOps, maskedOps, whereOps,
	}},
	{"Creating tensors", [][]Op{
		createOps, windowOps, rangeOps, randomOps, randomCountOps, randomGammaOps, coreOps,
	}},
	{"Conversion", [][]Op{
		castOps,
	}},
	{"Views and shapes", [][]Op{
		viewOps, viewCopies(), viewScatterOps, shapeOps, permuteOps, partOps, splitOps, diagonalOps, repeatOps,
		shuffleOps, inplaceOps, combineOps,
	}},
	{"Indexing", [][]Op{
		getitemOps, indexOps, indexDimOps, scatterOps,
	}},
	{"Reductions", [][]Op{
		reduceOps, extremeOps, countOps, statOps, quantileOps, normOps, matrixNormOps, scanOps, sortOps,
		uniqueOps, softmaxOps,
	}},
	{"Linear algebra", [][]Op{
		batchOps, choleskyOps, crossOps, detOps, eighOps, einsumOps, inverseOps, lstsqOps, luOps, matmulOps,
		pinvOps, productOps, qrOps, solveOps, oldSolveOps, svdOps, contractionOps,
	}},
	{"Activations", [][]Op{
		rectifierOps, eluOps, activationFunctionOps, gatedOps, rreluOps, shrinkOps, smoothOps, dropoutOps,
		attentionOps,
	}},
	{"Losses", [][]Op{
		lossOps, bceOps, ctcOps, entropyOps, lossFunctionOps, marginOps, multiMarginOps, nllOps,
	}},
	{"Convolution, pooling, normalization, embedding, images", [][]Op{
		convOps, poolOps, adaptivePoolOps, poolFunctions, normalizeOps, groupNormOps, weightNormOps,
		embeddingOps, embeddingBagOps, sequenceOps, recurrentOps, padOps, edgePadOps(), upsampleOps(),
		interpolateOps, gridOps, gridSamplerOps(),
	}},
}

// init fills the tables in which calls look up operators. Table entries call
// each other through these tables, so variable initializers must not refer to
// them.
func init() {
	for _, family := range families {
		for _, ops := range family.tables {
			register(ops)
		}
	}
	torchFunctions = makeTorchFunctions()
	tensorMethods = makeTensorMethods()
}
