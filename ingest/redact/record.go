package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
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
	r.Redact(out)
	return out
}

// Redact is as [Redactor.Record] for a record that nobody else has: it is changed itself, and what it shares with others
// is not.
func (r *Redactor) Redact(out record.Record) {
	b := out.Header()
	b.At, b.Key, b.Date = r.pos(b.At), r.key(b.Key), r.date(b.Date)
	id := &b.Identity
	id.Tool, id.Session, id.Model = r.Secrets(id.Tool), r.Secrets(id.Session), r.Secrets(id.Model)
	facts := func(in []record.Fact) []record.Fact {
		return changed(in, func(f record.Fact) record.Fact {
			f.At, f.Value = r.pos(f.At), r.Fact(f.Key, f.Value)
			if name, label := strings.CutPrefix(f.Key, labelPrefix); label {
				f.Key = labelPrefix + r.KeyName(name)
			}
			return f
		})
	}
	b.Facts = facts(b.Facts)
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
		return changed(in, func(e record.ErrorCount) record.ErrorCount {
			e.Text = r.Text(lastLine(e.Text))
			return e
		})
	}
	switch c := out.(type) {
	case *record.Result:
		if keys, values := c.Text(); keys != nil && !r.plain(keys, values) {
			raw := c.AppendRaw(nil)
			if shown := r.JSON("", raw); !bytes.Equal(shown, raw) {
				c.SetRaw(shown)
			}
		}
		if shared := c.Shared(); len(shared) > 0 {
			if r.facts0 != &shared[0] {
				r.facts0, r.facts = &shared[0], facts(shared)
			}
			if &r.facts[0] != r.facts0 {
				c.Share(r.facts)
			}
		}
		if len(c.Setup) > 0 { // results share it
			if r.setup0 != &c.Setup[0] || r.setups != len(c.Setup) {
				r.setup0, r.setups = &c.Setup[0], len(c.Setup)
				r.setup = changed(c.Setup, func(s record.KV) record.KV {
					return record.KV{Key: r.KeyName(s.Key), Value: r.Value(s.Key, s.Value)}
				})
			}
			c.Setup = r.setup
		}
		c.Errors = errors(c.Errors)
		c.Doubts = changed(c.Doubts, func(d record.Doubt) record.Doubt {
			d.Text = r.Message(d.Text)
			return d
		})
		w := &c.Workload
		w.Name, w.Dataset, w.Distribution = r.Text(w.Name), r.Text(w.Dataset), r.Text(w.Distribution)
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
		shown := r.Text(c.Command)
		for i := range c.Params {
			p := &c.Params[i]
			p.At = r.pos(p.At)
			p.Value = ofCommand(p.Value, c.Command, shown)
			p.Value = r.Parameter(p.Name, p.Value)
			p.Name = r.KeyName(p.Name)
		}
		c.Command = shown
	case *record.System:
		c.Devices = changed(c.Devices, func(d record.Device) record.Device {
			d.Name = r.Text(d.Name)
			return d
		})
	case *record.Note:
		c.Text = r.Message(c.Text)
	case *record.Ignored:
		c.Reason = r.Message(c.Reason)
	case *record.SyntaxError:
		c.Text = r.Message(c.Text)
	}
}

// ofCommand is the value of a flag, or the list of its values, without what is hidden in its command: only that says what
// its flags are, "curl -u", "redis-cli -a". shown is the command without it.
func ofCommand(v json.RawMessage, command, shown string) json.RawMessage {
	var text string
	var list []string
	hides := func(s string) bool {
		return !says(s) && strings.Contains(command, s) && !strings.Contains(shown, s)
	}
	switch {
	case json.Unmarshal(v, &text) == nil && hides(text):
		return reading.Quote(Hidden)
	case json.Unmarshal(v, &list) == nil && slices.ContainsFunc(list, hides):
		for i, s := range list {
			if hides(s) {
				list[i] = Hidden
			}
		}
		v, _ = json.Marshal(list) // texts always encode
	}
	return v
}

// changed is a list with what make makes of its elements: itself where that is nothing new.
func changed[T comparable](list []T, make func(T) T) []T {
	own := false
	for i, was := range list {
		now := make(was)
		if now != was && !own {
			list, own = slices.Clone(list), true
		}
		if own {
			list[i] = now
		}
	}
	return list
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

// date is a date as it is written: any text may stand for one.
func (r *Redactor) date(s string) string {
	if moment(s) { // as of most records
		return s
	}
	if _, _, ok := record.ParseDate(s); ok {
		return s
	}
	return r.Text(s)
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
