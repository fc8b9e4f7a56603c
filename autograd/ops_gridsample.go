package autograd

import "slices"

// Spatial transformers: affine_grid and grid_sample.

var gridOps = []Op{
	{
		Schema: "grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor", Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return gridSample(a.Tensor("input"), a.Tensor("grid"), a.Int("interpolation_mode"), a.Int("padding_mode"), a.Bool("align_corners"))
		},
	},
	{
		Schema: "nn_functional_grid_sample(Tensor input, Tensor grid, str mode='bilinear', str padding_mode='zeros', bool? align_corners=None) -> Tensor", In: Functional, Go: "GridSample",
		Compose: func(a *Args) ([]*Tensor, error) {
			mode := slices.Index([]string{"bilinear", "nearest", "bicubic"}, a.Str("mode"))
			if mode < 0 {
				return nil, fail(ValueError, CodeArgument, "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '%s'", a.Str("mode"))
			}
			padding := slices.Index([]string{"zeros", "border", "reflection"}, a.Str("padding_mode"))
			if padding < 0 {
				return nil, fail(ValueError, CodeArgument, "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '%s'", a.Str("padding_mode"))
			}
			return gridSample(a.Tensor("input"), a.Tensor("grid"), mode, padding, a.alignCorners())
		},
	},
	{
		Schema: "nn_functional_affine_grid(Tensor theta, int[] size, bool? align_corners=None) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			theta, size, corners := a.Tensor("theta"), a.Ints("size"), a.alignCorners()
			if err := checkAffine(theta, size); err != nil {
				return nil, err
			}
			if corners && slices.Min(size[2:]) == 1 {
				warnInside("Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is not an intended use case of affine_grid. See the documentation of affine_grid for details.")
			}
			return single(AffineGridGenerator(theta, size, corners))
		},
	},
	{
		Schema: "affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor",
		Node:   "AffineGridGeneratorBackward0", Attrs: "align_corners size", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			theta, size := a.Tensor("theta"), a.Ints("size")
			if len(size) != 4 && len(size) != 5 {
				return nil, fail(RuntimeError, CodeShape, "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")
			}
			if err := checkSizes(size); err != nil {
				return nil, err
			}
			shape := append(slices.Clone(size[:1]), size[2:]...)
			base, dims := affineBase(theta.dtype, size, a.Bool("align_corners")), len(size)-2
			if len(theta.sizes) < 2 {
				return nil, fail(RuntimeError, CodeShape, "batch2 must be a 3D tensor")
			}
			matrices := matrixTransposed(theta)
			sizes, err := checkBatches(base, matrices)
			if err != nil {
				return nil, err
			}
			if sizes[2] != dims {
				return nil, fail(RuntimeError, CodeShape, "shape '%s' is invalid for input of size %d", shapeText(append(shape, dims)), numel(sizes))
			}
			outs, err := a.matrixProduct("bmm", alloc(theta.dtype, sizes), base, matrices, product{alpha: oneScalar})
			if err != nil {
				return nil, err
			}
			shape = append(shape, dims)
			return a.One(outs[0].shallow(shape, contiguousStrides(shape), 0))
		},
		VJP: []Formula{{Input: "theta", Of: func(c *Ctx) *Tensor {
			g, size := c.Grad(), c.Args().Ints("size")
			dims := len(size) - 2
			base := affineBase(g.dtype, size, c.Args().Bool("align_corners"))
			return base.Transpose(1, 2).Bmm(g.Reshape([]int{size[0], numel(size[2:]), dims})).Transpose(1, 2)
		}}},
	},
}

// gridSamplerOps returns the operators for planes and for volumes, and their
// gradients.
func gridSamplerOps() []Op { return slices.Concat(gridSamplerOpsOf("2"), gridSamplerOpsOf("3")) }

func gridSamplerOpsOf(dims string) []Op {
	name := "grid_sampler_" + dims + "d"
	backward := declare(name + "_backward")
	kernel := map[string]string{"2": "grid_sampler_2d_cpu_kernel_impl", "3": "grid_sampler3d_cpu"}[dims]
	call := func(a *Args) *gridCall {
		return newGridCall(a.Tensor("input"), a.Tensor("grid"), a.Int("interpolation_mode"), a.Int("padding_mode"), a.Bool("align_corners"))
	}
	return []Op{
		{
			Schema: name + "(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor", In: Torch, Go: "-",
			Node: "GridSampler" + dims + "DBackward0", Attrs: "align_corners interpolation_mode padding_mode",
			Forward: func(a *Args) ([]*Tensor, error) {
				input, grid := a.Tensor("input"), a.Tensor("grid")
				if err := checkGrid(input, grid, a.Int("interpolation_mode")); err != nil {
					return nil, err
				}
				switch {
				case !input.dtype.IsFloat():
					return nil, undefined(kernel, input.dtype)
				case input.dtype != grid.dtype:
					return nil, wantScalarType(input.dtype, grid.dtype)
				}
				sizes := append(slices.Clone(input.sizes[:2]), grid.sizes[1:len(grid.sizes)-1]...)
				return a.One(as(fromSlice(call(a).sample(), Float64, sizes), input.dtype))
			},
			VJP: []Formula{{Input: "input grid", Uses: "grid input", All: func(c *Ctx) []*Tensor {
				a := c.Args()
				return several(backward.pair(nil, c.Grad(), c.Saved("input"), c.Saved("grid"), a.Int("interpolation_mode"), a.Int("padding_mode"), a.Bool("align_corners"), c.wanted("input grid")))
			}}},
		},
		{
			Schema: name + "_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)", In: Hidden, Go: "-",
			Node: notImplemented,
			Forward: func(a *Args) ([]*Tensor, error) {
				input, grid, wanted := a.Tensor("input"), a.Tensor("grid"), a.Bools("output_mask")
				gi, gg := call(a).gradients(elements[float64](copied(a.Tensor("grad_output"), Float64)))
				outs := []*Tensor{nil, as(fromSlice(gg, Float64, grid.sizes), grid.dtype)}
				if wanted[0] {
					outs[0] = as(fromSlice(gi, Float64, input.sizes), input.dtype)
				}
				return outs, nil
			},
		},
	}
}

func gridSample(input, grid *Tensor, mode, padding int, corners bool) ([]*Tensor, error) {
	operator, _ := Lookup("grid_sampler_2d")
	if len(input.sizes) == 5 {
		operator, _ = Lookup("grid_sampler_3d")
	}
	return operator.list(nil, input, grid, mode, padding, corners)
}

// checkGrid makes the checks of check_grid_sampler_common and the ones after
// it.
func checkGrid(input, grid *Tensor, mode int) error {
	bad := func(format string, args ...any) error {
		return fail(RuntimeError, CodeShape, "grid_sampler(): "+format, args...)
	}
	rank, want := len(input.sizes), 4
	if rank == 5 {
		want = 5
	}
	but := "but got input with sizes " + shapeText(input.sizes) + " and grid with sizes " + shapeText(grid.sizes)
	switch last := len(grid.sizes) - 1; {
	case rank == 0 || last < 0 || input.sizes[0] != grid.sizes[0]:
		return bad("expected grid and input to have same batch size, %s", but)
	case grid.sizes[last] != rank-2:
		return bad("expected grid to have size %d in last dimension, but got grid with sizes %s", rank-2, shapeText(grid.sizes))
	}
	for d, n := range input.sizes[2:] {
		if n == 0 {
			return bad("expected input to have non-empty spatial dimensions, but input has sizes %s with dimension %d being empty", shapeText(input.sizes), d+2)
		}
	}
	switch {
	case rank != want || len(grid.sizes) != want:
		return bad("expected %dD input and grid with same number of dimensions, %s", want, but)
	case rank == 5 && mode == gridCubic:
		return bad("bicubic interpolation only supports 4D input")
	}
	return nil
}

// alignCorners returns the argument align_corners. If it is missing, it warns
// that the default has changed.
func (a *Args) alignCorners() bool {
	if !a.Has("align_corners") {
		warnInside("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.")
	}
	return a.Bool("align_corners")
}

func checkAffine(theta *Tensor, size []int) error {
	if !theta.dtype.IsFloat() {
		return fail(ValueError, CodeDType, "Expected theta to have floating point type, but got torch.%s", theta.dtype)
	}
	dims := len(size) - 2
	if dims != 2 && dims != 3 {
		return fail(NotImplementedError, CodeShape, "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size %s.", shapeText(size))
	}
	if len(theta.sizes) != 3 || theta.sizes[1] != dims || theta.sizes[2] != dims+1 {
		return fail(ValueError, CodeShape, "Expected a batch of %dD affine matrices of shape Nx%dx%d for size %s. Got %s.", dims, dims, dims+1, shapeText(size), torchSize(theta.sizes))
	}
	if slices.Min(size) <= 0 {
		return fail(ValueError, CodeShape, "Expected non-zero, positive output size. Got %s", shapeText(size))
	}
	return nil
}

// affineBase returns the homogeneous coordinates of the grid points, one row
// for each: [N, D·H·W, 4] or [N, H·W, 3].
func affineBase(d DType, size []int, corners bool) *Tensor {
	dims, points := len(size)-2, numel(size[2:])
	base := alloc(d, []int{size[0], points, dims + 1})
	for i := range size[0] * points {
		rest := i % points
		for k := range dims { // x, the last dimension, comes first
			n := size[len(size)-1-k]
			base.setElement(i*(dims+1)+k, FloatScalar(gridCoordinate(rest%n, n, corners)))
			rest /= n
		}
		base.setElement(i*(dims+1)+dims, FloatScalar(1))
	}
	return base
}

// gridCoordinate returns the coordinate of element i of n
// (linspace_from_neg_one).
func gridCoordinate(i, n int, corners bool) float64 {
	switch {
	case n <= 1:
		return 0
	case corners:
		return -1 + 2*float64(i)/float64(n-1)
	}
	return (-1 + 2*float64(i)/float64(n-1)) * float64(n-1) / float64(n)
}
