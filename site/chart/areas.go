package chart

// Areas is as [Lines], with marks and without the intervals of the points: for show.
var Areas Kind = areas{}

type areas struct{ lines }

func (areas) draw(p pen, pl *plot) {
	pl.eachTrack(p, func(t *track) {
		pl.drawLine(p, t)
		pl.drawMarks(p, t)
	})
}
