package figure

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Scored is an accuracy with the run that measured it.
type Scored struct {
	catalog.Figure
	By *Run
}

// Scores are the accuracies of a run: its own, and those of runs of scores with the same model, precision and
// engine. What differs, and what is not recorded, is never joined. Groups of tasks stand before their parts.
func (ix *Index) Scores(r *Run) []Scored {
	out := scoresOf(r)
	for _, o := range ix.scored[r.Model.Slug] {
		if o != r && sameAnswers(r, o) {
			out = append(out, scoresOf(o)...)
		}
	}
	slices.SortStableFunc(out, func(a, b Scored) int {
		part := func(s Scored) int { return min(1, len(s.Score.Group)) }
		return cmp.Compare(part(a), part(b))
	})
	return out
}

func scoresOf(r *Run) []Scored {
	var out []Scored
	for _, f := range r.Figures {
		if f.Score != nil && f.Value != nil {
			out = append(out, Scored{f, r})
		}
	}
	return out
}

// sameAnswers reports whether two runs are recorded to have served the same weights in the same precision with
// the same engine, so that they give the same answers. Where only one records the version of the engine, it is
// taken for the other's, which pages say.
func sameAnswers(a, b *Run) bool {
	if a.Withdrawn != "" || b.Withdrawn != "" || a.Model.Slug == settings.NotRecorded || a.Model.Slug != b.Model.Slug {
		return false
	}
	if p := a.statedPrecision(); p == "" || p != b.statedPrecision() {
		return false
	}
	if a.Engine.Name == "" || a.Engine.Slug != b.Engine.Slug {
		return false
	}
	return a.Engine.Version == "" || b.Engine.Version == "" ||
		settings.CompareVersions(a.Engine.Version, b.Engine.Version) == 0
}

// statedPrecision is the precision where the records state it: by a checkpoint that is quantized, by a word for
// it, or by arguments of the server. That a model is made in bf16 does not say how it was served.
func (r *Run) statedPrecision() string {
	_, quantized := r.Parameters["quantization"]
	if r.Model.Quantization == "" && r.Attr("precision") == "" && !quantized && r.Param("dtype") == "" {
		return ""
	}
	p := r.Precision()
	if d := r.Param("dtype"); d != "" && d != "auto" && r.Model.Quantization == "" && r.Param("quantization") == "" &&
		r.Attr("precision") == "" {
		// Unquantized weights are turned into it, whatever they are stored in.
		p = r.names.Quantization(d).Name +
			strings.TrimPrefix(p, cmp.Or(r.Model.Precision, r.names.Quantization(d).Name))
	}
	return p
}
