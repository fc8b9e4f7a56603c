package autograd

var gridSamples = map[string][]string{
	"grid_sampler_2d": {
		"input=1x2x3x4 grid=1x2x2x2:inner interpolation_mode=0 padding_mode=0 align_corners=false",
		"input=2x1x3x2 grid=2x1x3x2 interpolation_mode=0 padding_mode=2 align_corners=true",
		"input=1x1x3x4 grid=1x2x2x2 interpolation_mode=0 padding_mode=1 align_corners=false",
		"input=1x1x3x4 grid=1x2x2x2:const interpolation_mode=1 padding_mode=0 align_corners=false",
		"input=1x2x4x4 grid=1x2x2x2 interpolation_mode=2 padding_mode=2 align_corners=false",
		"input=1x1x4x3 grid=1x2x2x2:inner interpolation_mode=2 padding_mode=0 align_corners=true",
	},
	"grid_sampler_3d": {
		"input=1x2x2x3x2 grid=1x1x2x2x3:inner interpolation_mode=0 padding_mode=0 align_corners=true",
		"input=1x1x2x3x2 grid=1x1x2x1x3 interpolation_mode=0 padding_mode=2 align_corners=false",
	},
	"grid_sampler":              {"input=1x1x3x4 grid=1x2x2x2:inner interpolation_mode=0 padding_mode=0 align_corners=false"},
	"nn_functional_grid_sample": {"input=1x1x3x4 grid=1x2x2x2:inner", "input=1x1x3x4 grid=1x2x2x2 mode=bicubic padding_mode=border"},
	"grid_sampler_2d_backward":  {"grad_output=1x1x2x2 input=1x1x3x4 grid=1x2x2x2:inner interpolation_mode=0 padding_mode=0 align_corners=false output_mask=[true,true]"},
	"grid_sampler_3d_backward":  {"grad_output=1x1x1x2x1 input=1x1x2x3x2 grid=1x1x2x1x3:inner interpolation_mode=0 padding_mode=0 align_corners=false output_mask=[true,true]"},
	"nn_functional_affine_grid": {"theta=2x2x3 size=[2,1,2,3]", "theta=1x3x4 size=[1,1,2,1,2] align_corners=true"},
	"affine_grid_generator":     {"theta=2x2x3 size=[2,1,2,3] align_corners=false", "theta=1x3x4 size=[1,1,2,1,2] align_corners=true"},
}
