package chart

// Scored draws points that are not joined by a score that they reach: what it reaches lies close together, so its
// axis need not begin at zero, unlike that of a [Scatter].
var Scored Kind = scored{}

type scored struct{ scatter }

func (scored) traits() traits {
	t := scatter{}.traits()
	t.zeroX = false
	return t
}
