package raster

import (
	"image"

	"golang.org/x/image/vector"
)

// Paint draws the part of the picture that img is a window on. Both have the same
// coordinates.
func (c *Canvas) Paint(img *image.RGBA) {
	items := make([]int, 0, len(c.items))
	for i := range c.items {
		if overlaps(img.Rect, c.items[i].box) {
			items = append(items, i)
		}
	}
	var z vector.Rasterizer
	c.drawBand(img, items, &z)
}
