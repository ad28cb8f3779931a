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
	out := record.Clone(rec)
	b := out.Header()
	b.At, b.Key = r.pos(b.At), r.key(b.Key)
	id := &b.Identity
	id.Tool, id.Session, id.Model = r.Secrets(id.Tool), r.Secrets(id.Session), r.Secrets(id.Model)
	b.Facts = slices.Clone(b.Facts)
	for i := range b.Facts {
		b.Facts[i].At = r.pos(b.Facts[i].At)
		b.Facts[i].Value = r.Fact(b.Facts[i].Key, b.Facts[i].Value)
	}
	if kept := record.Source(out); kept != nil {
		var keys []string
		for _, k := range kept.Unmapped {
			if shown := r.KeyName(k); shown == k || !slices.Contains(keys, shown) {
				keys = append(keys, shown)
			}
		}
		kept.Unmapped = keys
		kept.Raw = r.JSON("", kept.Raw)
	}
	errors := func(in []record.ErrorCount) []record.ErrorCount {
		out := slices.Clone(in)
		for i := range out {
			out[i].Text = r.Text(lastLine(out[i].Text))
		}
		return out
	}
	switch c := out.(type) {
	case *record.Result:
		c.Setup = slices.Clone(c.Setup)
		for i := range c.Setup {
			c.Setup[i].Value = r.Value(c.Setup[i].Key, c.Setup[i].Value)
			c.Setup[i].Key = r.KeyName(c.Setup[i].Key)
		}
		c.Errors = errors(c.Errors)
		c.Doubts = slices.Clone(c.Doubts)
		for i := range c.Doubts {
			c.Doubts[i].Text = r.Message(c.Doubts[i].Text)
		}
		c.Workload.Name, c.Workload.Dataset = r.Text(c.Workload.Name), r.Text(c.Workload.Dataset)
	case *record.Figure:
		c.Published, c.Basis, c.Of = r.Text(c.Published), r.Text(c.Basis), r.Text(c.Of)
		if c.Score != nil {
			s := *c.Score
			s.Task, s.Metric, s.Filter, s.Group, s.Version = r.Text(s.Task), r.Text(s.Metric), r.Text(s.Filter), r.Text(
				s.Group), r.Text(s.Version)
			c.Score = &s
		}
	case *record.Samples:
		c.Errors = errors(c.Errors)
		if texts := c.Texts; texts != nil {
			c.Texts = map[string]string{}
			for k, v := range texts {
				c.Texts[k] = r.Value(k, v)
			}
		}
	case *record.Params:
		c.Params = slices.Clone(c.Params)
		for i := range c.Params {
			p := &c.Params[i]
			p.At = r.pos(p.At)
			p.Value = r.Parameter(p.Name, p.Value)
			p.Name = r.KeyName(p.Name)
		}
		c.Command = r.Text(c.Command)
	case *record.Note:
		c.Text = r.Message(c.Text)
	case *record.Ignored:
		c.Reason = r.Message(c.Reason)
	case *record.SyntaxError:
		c.Text = r.Message(c.Text)
	}
	return out
}

// Parameter is the value of one parameter. Below the key of a secret every text is hidden.
func (r *Redactor) Parameter(name string, v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return json.RawMessage("null")
	}
	w := newWalker(r, v)
	// A prompt alone becomes one word, as a parameter is shown; within a list or an object it is
	// elided as in raw records.
	nested := w.in[0] == '{' || w.in[0] == '['
	k := r.kind(name)
	w.value(k, k.secret, nested && k.content)
	return w.done(v)
}

func (r *Redactor) pos(p record.Pos) record.Pos {
	p.File = r.Path(p.File)
	return p
}

// CI is the job that made a file, without what must not enter the catalog.
func (r *Redactor) CI(ci *record.CI) *record.CI {
	x := *ci
	for _, s := range []*string{&x.URL, &x.Commit, &x.Workflow, &x.Attempt, &x.Branch, &x.PullRequest,
		&x.Event, &x.Fork} {
		*s = r.Text(*s)
	}
	return &x
}
