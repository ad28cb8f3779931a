package redact

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// maxError bounds the text of an error, in runes: messages of servers may quote a prompt.
const maxError = 240

// lastLine is the last line of an error that is not empty, bounded: the class and the message,
// never the traceback above it.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.LastIndexAny(s, "\n\r"); i >= 0 {
		s = strings.TrimSpace(s[i+1:])
	}
	if r := []rune(s); len(r) > maxError {
		s = string(r[:maxError]) + "…"
	}
	return s
}

// Record returns a copy of rec without what must not enter the catalog. The copy shares nothing
// with rec that is changed.
func (r *Redactor) Record(rec record.Record) record.Record {
	base := func(b *record.Base) {
		b.At = r.pos(b.At)
		b.Key = r.key(b.Key)
	}
	identity := func(id *record.Identity) {
		id.Tool, id.Suite, id.Model = r.Secrets(id.Tool), r.Secrets(id.Suite), r.Secrets(id.Model)
	}
	facts := func(in []record.Fact) []record.Fact {
		out := slices.Clone(in)
		for i := range out {
			out[i].At = r.pos(out[i].At)
			out[i].Value = r.Fact(out[i].Key, out[i].Value)
		}
		return out
	}
	unmapped := func(in []string) []string {
		out := slices.Clone(in)
		for i, k := range out {
			out[i] = r.Text(k)
		}
		return out
	}
	errors := func(in []record.ErrorCount) []record.ErrorCount {
		out := slices.Clone(in)
		for i := range out {
			out[i].Text = r.Text(lastLine(out[i].Text))
		}
		return out
	}
	switch rec := rec.(type) {
	case *record.Result:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Setup = slices.Clone(c.Setup)
		for i := range c.Setup {
			c.Setup[i].Value = r.Value(c.Setup[i].Key, c.Setup[i].Value)
			c.Setup[i].Key = r.Text(c.Setup[i].Key)
		}
		c.Unmapped, c.Errors = unmapped(c.Unmapped), errors(c.Errors)
		c.Workload.Name, c.Workload.Dataset = r.Text(c.Workload.Name), r.Text(c.Workload.Dataset)
		c.Raw = r.JSON("", c.Raw)
		return &c
	case *record.Figure:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Published, c.Basis = r.Text(c.Published), r.Text(c.Basis)
		return &c
	case *record.Profile:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		return &c
	case *record.Samples:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Unmapped, c.Errors = unmapped(c.Unmapped), errors(c.Errors)
		if c.Texts != nil {
			c.Texts = map[string]string{}
			for k, v := range rec.Texts {
				c.Texts[k] = r.Value(k, v)
			}
		}
		c.Raw = r.JSON("", c.Raw)
		return &c
	case *record.Params:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Params = slices.Clone(c.Params)
		for i := range c.Params {
			p := &c.Params[i]
			p.At = r.pos(p.At)
			p.Value = r.Parameter(p.Name, p.Value)
			p.Name = r.Text(p.Name)
		}
		c.Command = r.Text(c.Command)
		return &c
	case *record.System:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		c.Raw = r.JSON("", c.Raw)
		return &c
	case *record.Facts:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Facts = facts(c.Facts)
		return &c
	case *record.Note:
		c := *rec
		base(&c.Base)
		identity(&c.Identity)
		c.Text = r.Text(c.Text)
		return &c
	case *record.Ignored:
		c := *rec
		base(&c.Base)
		c.Reason = r.Text(c.Reason)
		return &c
	case *record.SyntaxError:
		c := *rec
		base(&c.Base)
		c.Text = r.Text(c.Text)
		return &c
	}
	return rec
}

// Parameter is the value of one parameter. Below the key of a secret every text is hidden.
func (r *Redactor) Parameter(name string, v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return json.RawMessage("null")
	}
	if !json.Valid(v) {
		v = appendString(nil, strings.ToValidUTF8(string(v), "�"))
	}
	w := walker{r: r, in: v, out: make([]byte, 0, len(v))}
	// A prompt alone becomes one word, as a parameter is shown; within a list or an object it is
	// elided as in raw records.
	nested := v[0] == '{' || v[0] == '['
	w.value(name, secretKey(name), nested && contentKey(name))
	return w.out
}

func (r *Redactor) pos(p record.Pos) record.Pos {
	p.File = r.Path(p.File)
	return p
}
