package nn

import "github.com/gradtui/gradtui/autograd"

// MaxPool1d returns the maximum of each window of sequences. Options: stride,
// padding, dilation, return_indices, ceil_mode.
func MaxPool1d(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("MaxPool1d", []any{kernel}, opts...)
}

// MaxPool2d is max pooling of images. Options: see MaxPool1d.
func MaxPool2d(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("MaxPool2d", []any{kernel}, opts...)
}

// MaxPool3d is max pooling of volumes. Options: see MaxPool1d.
func MaxPool3d(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("MaxPool3d", []any{kernel}, opts...)
}

// AvgPool1d returns the average of each window of sequences. Options: stride,
// padding, ceil_mode, count_include_pad.
func AvgPool1d(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("AvgPool1d", []any{kernel}, opts...)
}

// AvgPool2d is average pooling of images. Options: the options of AvgPool1d,
// and divisor_override.
func AvgPool2d(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("AvgPool2d", []any{kernel}, opts...)
}

// AvgPool3d is average pooling of volumes. Options: see AvgPool2d.
func AvgPool3d(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("AvgPool3d", []any{kernel}, opts...)
}

// AdaptiveAvgPool1d averages sequences to a given size.
func AdaptiveAvgPool1d(size Sizes) *Module { return Make("AdaptiveAvgPool1d", []any{size}) }

// AdaptiveAvgPool2d averages images to a given size.
func AdaptiveAvgPool2d(size Sizes) *Module { return Make("AdaptiveAvgPool2d", []any{size}) }

// AdaptiveMaxPool1d reduces sequences to maxima, to a given size. Options:
// return_indices.
func AdaptiveMaxPool1d(size Sizes, opts ...autograd.Option) *Module {
	return Make("AdaptiveMaxPool1d", []any{size}, opts...)
}

// AdaptiveMaxPool2d reduces images to maxima, to a given size. Options:
// return_indices.
func AdaptiveMaxPool2d(size Sizes, opts ...autograd.Option) *Module {
	return Make("AdaptiveMaxPool2d", []any{size}, opts...)
}

// Upsample resizes sequences, images or volumes. Options: size, scale_factor,
// mode, align_corners, recompute_scale_factor.
func Upsample(opts ...autograd.Option) *Module { return Make("Upsample", nil, opts...) }

// ZeroPad2d pads images with zeros. padding is a number, or left, right, top
// and bottom.
func ZeroPad2d(padding Sizes) *Module { return Make("ZeroPad2d", []any{padding}) }

// ReflectionPad2d pads images with their mirror image.
func ReflectionPad2d(padding Sizes) *Module { return Make("ReflectionPad2d", []any{padding}) }

// ReplicationPad2d pads images with their border pixels.
func ReplicationPad2d(padding Sizes) *Module { return Make("ReplicationPad2d", []any{padding}) }

// PixelShuffle moves elements from channels to space: [C*r*r, H, W] becomes [C,
// H*r, W*r], where r is the factor.
func PixelShuffle(factor int) *Module { return Make("PixelShuffle", []any{factor}) }

// AdaptiveAvgPool3d averages volumes to a given size.
func AdaptiveAvgPool3d(size Sizes) *Module { return Make("AdaptiveAvgPool3d", []any{size}) }

// AdaptiveMaxPool3d reduces volumes to maxima, to a given size. Options:
// return_indices.
func AdaptiveMaxPool3d(size Sizes, opts ...autograd.Option) *Module {
	return Make("AdaptiveMaxPool3d", []any{size}, opts...)
}

// LPPool1d returns a norm of each window of sequences. Options: stride,
// ceil_mode.
func LPPool1d(norm float64, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("LPPool1d", []any{norm, kernel}, opts...)
}

// MaxUnpool1d stores maxima of sequences at the indices that MaxPool1d
// returned, and zeros elsewhere. Options: stride, padding.
func MaxUnpool1d(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("MaxUnpool1d", []any{kernel}, opts...)
}

// LPPool2d returns a norm of each window of images. Options: stride, ceil_mode.
func LPPool2d(norm float64, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("LPPool2d", []any{norm, kernel}, opts...)
}

// MaxUnpool2d stores maxima of images at the indices that MaxPool2d returned,
// and zeros elsewhere. Options: stride, padding.
func MaxUnpool2d(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("MaxUnpool2d", []any{kernel}, opts...)
}

// LPPool3d returns a norm of each window of volumes. Options: stride,
// ceil_mode.
func LPPool3d(norm float64, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("LPPool3d", []any{norm, kernel}, opts...)
}

// MaxUnpool3d stores maxima of volumes at the indices that MaxPool3d returned,
// and zeros elsewhere. Options: stride, padding.
func MaxUnpool3d(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("MaxUnpool3d", []any{kernel}, opts...)
}

// ConstantPad1d pads sequences with a number.
func ConstantPad1d(padding Sizes, value float64) *Module {
	return Make("ConstantPad1d", []any{padding, value})
}

// CircularPad1d pads sequences with their opposite end.
func CircularPad1d(padding Sizes) *Module { return Make("CircularPad1d", []any{padding}) }

// ConstantPad2d pads images with a number.
func ConstantPad2d(padding Sizes, value float64) *Module {
	return Make("ConstantPad2d", []any{padding, value})
}

// CircularPad2d pads images with their opposite side.
func CircularPad2d(padding Sizes) *Module { return Make("CircularPad2d", []any{padding}) }

// ConstantPad3d pads volumes with a number.
func ConstantPad3d(padding Sizes, value float64) *Module {
	return Make("ConstantPad3d", []any{padding, value})
}

// CircularPad3d pads volumes with their opposite side.
func CircularPad3d(padding Sizes) *Module { return Make("CircularPad3d", []any{padding}) }

// ZeroPad1d pads sequences with zeros.
func ZeroPad1d(padding Sizes) *Module { return Make("ZeroPad1d", []any{padding}) }

// ReflectionPad1d pads sequences with their mirror image.
func ReflectionPad1d(padding Sizes) *Module { return Make("ReflectionPad1d", []any{padding}) }

// ReplicationPad1d pads sequences with their first and last element.
func ReplicationPad1d(padding Sizes) *Module { return Make("ReplicationPad1d", []any{padding}) }

// ZeroPad3d pads volumes with zeros.
func ZeroPad3d(padding Sizes) *Module { return Make("ZeroPad3d", []any{padding}) }

// ReflectionPad3d pads volumes with their mirror image.
func ReflectionPad3d(padding Sizes) *Module { return Make("ReflectionPad3d", []any{padding}) }

// ReplicationPad3d pads volumes with their border elements.
func ReplicationPad3d(padding Sizes) *Module { return Make("ReplicationPad3d", []any{padding}) }

// PixelUnshuffle is the inverse of PixelShuffle: [C, H*r, W*r] becomes [C*r*r,
// H, W].
func PixelUnshuffle(factor int) *Module { return Make("PixelUnshuffle", []any{factor}) }

// ChannelShuffle interleaves the channels of groups.
func ChannelShuffle(groups int) *Module { return Make("ChannelShuffle", []any{groups}) }

// Unfold copies the windows of images into columns. Options: dilation, padding,
// stride.
func Unfold(kernel Sizes, opts ...autograd.Option) *Module {
	return Make("Unfold", []any{kernel}, opts...)
}

// Fold sums columns into images of a given size. Options: dilation, padding,
// stride.
func Fold(size, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("Fold", []any{size, kernel}, opts...)
}

// UpsamplingNearest2d repeats pixels. Options: size, scale_factor.
func UpsamplingNearest2d(opts ...autograd.Option) *Module {
	return Make("UpsamplingNearest2d", nil, opts...)
}

// UpsamplingBilinear2d interpolates pixels. Options: size, scale_factor.
func UpsamplingBilinear2d(opts ...autograd.Option) *Module {
	return Make("UpsamplingBilinear2d", nil, opts...)
}
