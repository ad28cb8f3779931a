package claim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Kind is what a claim says.
type Kind string

// The kinds. What each needs and says is written at the type of the same name.
const (
	KindSweetSpot  Kind = "sweet-spot"
	KindPeak       Kind = "peak"
	KindKnee       Kind = "knee"
	KindScaling    Kind = "scaling"
	KindDrop       Kind = "drop"
	KindKept       Kind = "kept-speed"
	KindPace       Kind = "pace"
	KindVersion    Kind = "version"
	KindHardware   Kind = "hardware"
	KindTail       Kind = "tail"
	KindSteady     Kind = "steady"
	KindPhase      Kind = "phase"
	KindKVFull     Kind = "kv-full"
	KindCompletion Kind = "completion"
	KindFewPrompts Kind = "few-prompts"

	KindReplication Kind = "replication"
)

// labels are the topics of sentences in a word or two.
var labels = map[Kind]string{KindSweetSpot: "Sweet spot", KindPeak: "Peak", KindKnee: "Knee", KindScaling: "Scaling",
	KindDrop: "Drop", KindKept: "Limit of 20 tok/s", KindPace: "Request rate",
	KindVersion: "Version", KindHardware: "Hardware", KindTail: "Tail", KindSteady: "Steady",
	KindPhase: "Phase", KindKVFull: "KV cache", KindCompletion: "Completion", KindFewPrompts: "Load",
	KindReplication: "Replication"}

// Label is the topic of the kind in a word or two: "Knee".
func (k Kind) Label() string { return labels[k] }

// Claim is a sentence as a value: operands, relation, numbers and conditions are the fields of its type, which
// are what its JSON holds. The text is made of them and of nothing else.
type Claim interface {
	// head says what is claimed, and whether a reader has to know it before quoting anything else.
	head() (kind Kind, warns bool)
	// write renders the claim.
	write(s *sentence)
}

// Operand is a number of the catalog that a claim is about.
type Operand struct {
	Run      *figure.Run
	Scenario *figure.Scenario
	// Point is one of the scenario's points, which may stand for several measurements: Value is then the median
	// of theirs.
	Point  *catalog.Point
	Metric metric.ID
	// Stat is the statistic, or "central": the one that stands for the metric at each measurement.
	Stat string
	// Value is in the metric's base unit.
	Value float64
}

// place is where an operand stands in the catalog.
type place struct {
	Run      string       `json:"run"`
	Workload string       `json:"workload"`
	Points   []int        `json:"points"` // the measurements' places in the run's list of points, from 0
	Axis     string       `json:"axis,omitempty"`
	Load     record.Float `json:"load"`
}

func placeOf(o Operand) place {
	p := place{Run: o.Run.ID, Workload: o.Scenario.Title, Axis: o.Scenario.Axis, Load: record.Float(o.load())}
	all := o.Scenario.MeasuredAt(o.load())
	for i := range o.Run.Points {
		if slices.Contains(all, &o.Run.Points[i]) {
			p.Points = append(p.Points, i)
		}
	}
	return p
}

// load is the operand's load: see [figure.LoadOf].
func (o Operand) load() float64 { return figure.LoadOf(o.Point) }

// operand is a statistic of a metric at one point; a statistic that is missing there has the value 0.
func operand(r *figure.Run, s *figure.Scenario, p *catalog.Point, m metric.ID, stat string) Operand {
	v, _ := figure.Get(p, m, stat)
	return Operand{r, s, p, m, stat, v}
}

// central is what stands for a metric at one point.
func central(r *figure.Run, s *figure.Scenario, p *catalog.Point, m metric.ID) Operand {
	v, stat, _ := figure.Central(p, m)
	return Operand{r, s, p, m, stat, v}
}

// Sentence is a claim with its text.
type Sentence struct {
	Claim Claim
	Kind  Kind
	// Label is the sentence's topic, Caution marks what a reader has to know before quoting.
	Label   string
	Caution bool
	Parts   []Part
	// Run is the run that a sentence on one run stands at; nil for a sentence of a page.
	Run *figure.Run
	// Names are words of the text that may hold digits and are no numbers: of runs, hardware and engines.
	Names []string
}

// Part is a piece of a sentence. Where Of is set, the text is a number that was read there, or computed from
// it.
type Part struct {
	Text string
	Of   *Operand
}

// Text is the sentence without its links.
func (s Sentence) Text() string {
	var b strings.Builder
	for _, p := range s.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Refutable marks a text that package refute holds against the catalog.
func (Sentence) Refutable() {}

// MarshalJSON writes the claim with its kind and text.
func (s Sentence) MarshalJSON() ([]byte, error) { return json.Marshal(s.Object()) }

// Object is what [Sentence.MarshalJSON] writes: a caller that writes it by itself has it looked through once less.
func (s Sentence) Object() any {
	return struct {
		Kind    Kind   `json:"kind"`
		Caution bool   `json:"caution,omitempty"`
		Text    string `json:"text"`
		Claim   Claim  `json:"claim"`
	}{s.Kind, s.Caution, s.Text(), s.Claim}
}

// New renders a claim.
func New(c Claim) Sentence {
	var s sentence
	c.write(&s)
	kind, warns := c.head()
	return Sentence{Claim: c, Kind: kind, Label: kind.Label(), Caution: warns, Parts: s.parts}
}

// sentence builds the parts of a text.
type sentence struct{ parts []Part }

func (s *sentence) say(format string, args ...any) *sentence {
	s.parts = append(s.parts, Part{Text: fmt.Sprintf(format, args...)})
	return s
}

// cite says a number of an operand.
func (s *sentence) cite(o Operand, format string, args ...any) *sentence {
	s.parts = append(s.parts, Part{Text: fmt.Sprintf(format, args...), Of: &o})
	return s
}

// afterwards is the phrase of a load behind a number within a sentence: " at 8 parallel requests",
// ", all requests at once,".
func afterwards(o Operand) string {
	switch ph := figure.LoadPhrase(o.Point); {
	case ph == "":
		return ""
	case strings.HasPrefix(ph, "at "):
		return " " + ph
	default:
		return ", " + ph + ","
	}
}

// Behind is the sentence behind some names.
func (s Sentence) Behind(names ...string) Sentence {
	parts := make([]Part, 0, len(names)+len(s.Parts))
	for _, n := range names {
		parts = append(parts, Part{Text: n})
	}
	s.Parts, s.Names = append(parts, s.Parts...), append(slices.Clone(s.Names), names...)
	return s
}
