package happyvllm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const (
	// fewest is the number of valid requests below which the tool leaves a file out of its
	// graphs and thresholds.
	fewest = 50
	// speedLimit is the default of SPEED_THRESHOLD in tokens a second.
	speedLimit = 20.0
	// cacheLimit is the part of the KV cache that counts as full.
	cacheLimit = 0.95
	// mostNotes is how many differences between report and raw files get a note each.
	mostNotes = 20
)

// load is one load of one scenario.
type load struct {
	scenario
	n int64
}

func (l load) String() string { return fmt.Sprintf("%s at %d", l.scenario, l.n) }

// point is what is known of a load: from its raw file, or, where raw is nil, from the report.
type point struct {
	load
	raw          *record.Result
	total, speed *record.Samples // of the report, nil where it has none
	median       *float64        // of the speed of a request, tok/s
	cache        *float64        // highest usage, a fraction
	counts       bool            // enough valid requests for the tool's graphs
	totalTime    float64         // sum of the times of requests in s; 0 where unknown
	wall         float64         // in s; 0 where unknown
	tokens       float64
}

// suite is one session.
type suite struct {
	emit       func(record.Record)
	id         record.Identity
	session    string
	points     []*point // by scenario and load
	parameters []*record.Samples
	ingestion  []*record.Samples
	cache      []*record.Samples
	fits       []*record.Samples // of the report
	limits     []*record.Samples // rows of thresholds.csv
	speedLimit float64
	scenarios  []scenario
	notes      int
}

// finish computes what needs several files of a suite.
func finish(group []record.Record, emit func(record.Record)) {
	s := &suite{emit: emit, speedLimit: speedLimit}
	s.gather(group)
	if s.id.Tool == "" {
		return // nothing but a report whose parameters.json is missing
	}
	s.commonParameters()
	s.promptIngestion()
	s.kvCacheTokens()
	s.totalSpeeds()
	s.reportPoints()
	s.speedAtTen()
	s.thresholds()
	if s.notes > mostNotes {
		s.note(record.Base{At: s.fewestPlace(group)}, "report-differs", record.Warning,
			fmt.Sprintf("%s from the raw files", metric.Plural(s.notes-mostNotes, "more number of the report differs",
				"more numbers of the report differ")))
	}
}

// fewestPlace is the place of the first record of a report, for what concerns all of it.
func (s *suite) fewestPlace(group []record.Record) record.Pos {
	for _, r := range group {
		if m, ok := r.(*record.Samples); ok && strings.HasPrefix(m.Name, "report: ") {
			return record.Pos{File: m.At.File}
		}
	}
	return record.Pos{}
}

// gather sorts the records and makes points of them. Of files with the same bytes only the first counts.
func (s *suite) gather(group []record.Record) {
	var totals, speeds []*record.Samples
	byLoad := map[load]*point{}
	again := repeats()
	for _, r := range group {
		switch r := r.(type) {
		case *record.Result:
			if r.Identity.Tool != tool || again(&r.Base, "result") {
				continue
			}
			s.identify(&r.Base)
			if p := rawPoint(r); p != nil && byLoad[p.load] == nil {
				byLoad[p.load] = p
			}
		case *record.Params:
			s.identify(&r.Base)
			s.limit(r)
		case *record.Samples:
			if r.Identity.Tool != tool || again(&r.Base, r.Name) {
				continue
			}
			s.identify(&r.Base)
			switch r.Name {
			case samplesParameters:
				s.parameters = append(s.parameters, r)
			case samplesIngestion:
				s.ingestion = append(s.ingestion, r)
			case samplesKV:
				s.cache = append(s.cache, r)
			case reportOfIngestion:
				s.fits = append(s.fits, r)
			case reportOfThresholds:
				s.limits = append(s.limits, r)
			case reportOfTotal:
				totals = append(totals, r)
			case reportOfSpeed:
				speeds = append(speeds, r)
			}
		}
	}
	if s.id.Tool != "" {
		s.reported(byLoad, totals, speeds)
		s.order(byLoad)
	}
}

// repeats returns a function that reports whether a record is of a file whose bytes were seen before.
func repeats() func(b *record.Base, name string) bool {
	type place struct {
		digest    string
		line, col int
		name      string
	}
	seen := map[place]bool{}
	return func(b *record.Base, name string) bool {
		p := place{b.Digest, b.At.Line, b.At.Col, name}
		was := seen[p] && b.Digest != ""
		seen[p] = true
		return was
	}
}

// identify takes the identity of the suite from the first record that states it.
func (s *suite) identify(b *record.Base) {
	if s.id.Tool == "" && b.Identity.Tool == tool && b.Identity.Model != "" {
		s.id, s.session = b.Identity, b.Key
	}
}

// limit reads the speed that the suite had to hold, from its settings.
func (s *suite) limit(r *record.Params) {
	for _, p := range r.Params {
		var text string
		if r.Of != "client" || p.Name != "SPEED_THRESHOLD" || json.Unmarshal(p.Value, &text) != nil {
			continue
		}
		if f, err := strconv.ParseFloat(text, 64); err == nil && f > 0 && !math.IsInf(f, 0) {
			s.speedLimit = f
		}
	}
}

// reported goes over the points of the report: each is compared with what is there, or is the point
// itself.
func (s *suite) reported(byLoad map[load]*point, totals, speeds []*record.Samples) {
	for _, r := range totals {
		p := pointOf(byLoad, r)
		if p.raw == nil && p.total == nil {
			p.total = r
			p.tokens, p.totalTime = r.Nums["total_number_of_generated_tokens"], r.Nums["total_time"]
			p.wall = r.Nums["actual_total_time"]
		} else {
			s.compareTotal(byLoad, p, r)
		}
	}
	for _, r := range speeds {
		p := pointOf(byLoad, r)
		if p.raw == nil && p.speed == nil {
			p.speed = r
			p.median, p.cache = num(r, "speed_generation"), num(r, "max_kv_cache")
			if p.cache != nil && *p.cache < 0 {
				p.cache = nil
			}
		} else {
			s.compareSpeed(p, r)
		}
	}
}

// order lists points and scenarios by their lengths and loads.
func (s *suite) order(byLoad map[load]*point) {
	scenarios := map[scenario]bool{}
	for _, p := range byLoad {
		s.points = append(s.points, p)
		scenarios[p.scenario] = true
	}
	for _, r := range s.limits {
		scenarios[scenarioOf(r)] = true
	}
	s.scenarios = slices.Collect(maps.Keys(scenarios))
	order.Stable(s.scenarios, compareScenarios)
	slices.SortStableFunc(s.points, func(a, b *point) int {
		return cmp.Or(compareScenarios(a.scenario, b.scenario), cmp.Compare(a.n, b.n))
	})
}

func compareScenarios(a, b scenario) int {
	return cmp.Or(cmp.Compare(a.input, b.input), cmp.Compare(a.output, b.output))
}

func num(r *record.Samples, key string) *float64 {
	f, ok := r.Nums[key]
	if !ok {
		return nil
	}
	return &f
}

func scenarioOf(r *record.Samples) scenario {
	return scenario{r.Nums["input_length"], r.Nums["output_length"]}
}

// pointOf finds the point that a record of a report is about, or makes it.
func pointOf(byLoad map[load]*point, r *record.Samples) *point {
	l := load{scenarioOf(r), int64(r.Nums["n"])}
	if byLoad[l] == nil {
		byLoad[l] = &point{load: l, counts: true}
	}
	return byLoad[l]
}

// value of a result, nil where it has none.
func value(r *record.Result, q metric.ID, stat string) *float64 {
	for i := range r.Values {
		if r.Values[i].Quantity == q && r.Values[i].Stat == stat {
			return &r.Values[i].Number
		}
	}
	return nil
}

// rawPoint is the point of a raw file's result; nil for results that are none: those of other
// loads than a number of parallel requests, and those that Finish itself emitted.
func rawPoint(r *record.Result) *point {
	if r.Load.MaxConcurrency == nil || r.Workload.Nominal.Input == nil || r.Workload.Nominal.Output == nil {
		return nil
	}
	raw, err := reading.Parse(r.Raw)
	if err != nil {
		return nil
	}
	general := raw.Get("general_metrics")
	if !general.Exists() {
		return nil
	}
	p := &point{
		load:   load{scenario{*r.Workload.Nominal.Input, *r.Workload.Nominal.Output}, *r.Load.MaxConcurrency},
		raw:    r,
		median: value(r, metric.SpeedPerRequest, metric.Median),
		cache:  value(r, metric.KVCacheUsage, metric.Value),
	}
	p.totalTime, _ = general.Get("total_time").Finite()
	if v := value(r, metric.Duration, metric.Value); v != nil {
		p.wall = *v
	}
	if v := value(r, metric.OutputTokens, metric.Total); v != nil {
		p.tokens = *v
	}
	if r.Submitted != nil && r.Failed != nil {
		valid := *r.Submitted - *r.Failed
		if r.TimedOut != nil {
			valid += *r.TimedOut
		}
		p.counts = valid >= fewest
	}
	return p
}

// totalSpeed is tokens / (wall - lost), where lost is the time that the one-request file of the
// scenario did not spend in its requests. ok is false where there is no such file.
func totalSpeed(one, p *point) (speed float64, ok bool) {
	if one == nil || one.wall <= 0 || one.totalTime <= 0 || p.wall <= 0 || p.tokens <= 0 {
		return 0, false
	}
	elapsed := p.wall - (one.wall - one.totalTime)
	if elapsed <= 0 {
		return 0, false
	}
	return p.tokens / elapsed, true
}

func (s *suite) one(sc scenario) *point {
	for _, p := range s.points {
		if p.scenario == sc && p.n == 1 {
			return p
		}
	}
	return nil
}

// totalSpeeds emits the total generation speed of each raw point.
func (s *suite) totalSpeeds() {
	for _, p := range s.points {
		if p.raw == nil {
			continue
		}
		speed, ok := totalSpeed(s.one(p.scenario), p)
		if !ok {
			continue
		}
		base := s.base(p.raw.Base)
		base.Date = p.raw.Date
		s.emit(&record.Result{
			Base: base, Workload: p.raw.Workload, Load: p.raw.Load, Repetition: p.raw.Repetition,
			Values: []record.Value{{Quantity: metric.TotalGenerationSpeed, Stat: metric.Value,
				Number: metric.Round(speed), Unit: "tok/s"}},
		})
	}
}

// base is that of a record that Finish makes of another.
func (s *suite) base(of record.Base) record.Base {
	b := of.Beside()
	b.Key, b.Identity = s.session, s.id
	return b
}

// reportPoints emits the points of which there is no raw file.
func (s *suite) reportPoints() {
	for _, p := range s.points {
		if p.raw != nil {
			continue
		}
		var from *record.Samples
		raw := map[string]json.RawMessage{}
		if p.speed != nil {
			from, raw["speed_generation"] = p.speed, p.speed.Raw
		}
		if p.total != nil {
			from, raw["total_speed_generation"] = p.total, p.total.Raw
		}
		in, out, n := p.input, p.output, p.n
		res := &record.Result{Base: s.base(from.Base), Workload: workload(&in, &out),
			Load: record.Load{MaxConcurrency: &n}}
		res.Date = s.id.Session
		vs := values{}
		add := func(f float64, q metric.ID, stat, unit, key string) {
			if f > 0 || f == 0 && q == metric.KVCacheUsage {
				vs.add(record.Value{Quantity: q, Stat: stat, Number: f, Unit: unit, Key: key})
			}
		}
		if p.total != nil {
			add(p.wall, metric.Duration, metric.Value, "s", "actual_total_time")
			add(p.tokens, metric.OutputTokens, metric.Total, "tokens", "total_number_of_generated_tokens")
			if p.wall > 0 {
				add(metric.Round(p.tokens/p.wall), metric.OutputThroughput, metric.Value, "tok/s", "")
			}
			add(p.total.Nums["speed"], metric.TotalGenerationSpeed, metric.Value, "tok/s", "speed")
		}
		if p.speed != nil {
			for _, q := range []struct {
				key      string
				quantity metric.ID
				unit     string
			}{{"speed_generation", metric.SpeedPerRequest, "tok/s"}, {"time_to_first_token", metric.TTFT, "s"}} {
				m := num(p.speed, q.key)
				if m == nil || *m <= 0 {
					continue
				}
				add(*m, q.quantity, metric.Median, q.unit, q.key)
				add(metric.Round(*m-p.speed.Nums[q.key+" below"]), q.quantity, "p25", q.unit, "")
				add(metric.Round(*m+p.speed.Nums[q.key+" above"]), q.quantity, "p75", q.unit, "")
			}
			if p.cache != nil {
				add(*p.cache, metric.KVCacheUsage, metric.Value, "fraction", "max_kv_cache")
			}
		}
		res.Values = vs
		res.Raw, _ = json.Marshal(raw) // valid JSON in it
		s.emit(res)
	}
}

// promptIngestion emits the fit and its scatter, or the fit of the report.
func (s *suite) promptIngestion() {
	var x, y []float64
	var used []*record.Samples
	for _, f := range s.ingestion {
		if v, ok := f.Nums["valid"]; ok && v < fewest {
			continue
		}
		x, y = append(x, f.X...), append(y, f.Y...)
		used = append(used, f)
	}
	l, keptX, keptY, ok := ingestionFit(x, y)
	if !ok || l.slope <= 0 {
		for _, r := range s.fits {
			if slope := r.Nums["slope"]; slope > 0 && 1/slope < 1e12 {
				s.figure(r.Base, metric.PromptIngestionSpeed, "", metric.Round(1/slope), "tok/s",
					ingestionText(1/slope),
					"1 / slope of the fit in the report", 0)
				return
			}
		}
		return
	}
	first := used[0]
	s.figure(first.Base, metric.PromptIngestionSpeed, "", metric.Round(1/l.slope), "tok/s", ingestionText(1/l.slope),
		fmt.Sprintf("1 / slope of time to first token over prompt length, fitted twice by least squares to %d "+
			"requests of %d files: the second fit leaves out those that are 5 %% or more away from the first, %d here",
			len(x), len(used), len(x)-len(keptX)), len(used))

	slope, intercept := metric.Round(l.slope), metric.Round(l.intercept)
	p := &record.Profile{Base: s.base(first.Base), Curves: record.Curves{Name: "prompt ingestion", Kind: "scatter",
		XLabel: "prompt length", XUnit: "tokens", FitSlope: &slope, FitIntercept: &intercept,
		Lines: []record.Line{{Label: "time to first token", Unit: "s"}}}}
	for _, i := range thinScatter(keptX, keptY) {
		p.X = append(p.X, keptX[i])
		p.Lines[0].Y = append(p.Lines[0].Y, keptY[i])
	}
	s.emit(p)

	for _, r := range s.fits {
		if int(r.Nums["requests"]) > len(x) {
			continue // raw files are missing: the fit is another one
		}
		for _, c := range []struct {
			key string
			f   float64
		}{{"slope", l.slope}, {"intercept", l.intercept}} {
			s.compare(r, first.At, "prompt ingestion, "+c.key, num(r, c.key), c.f)
		}
	}
}

// Texts as the card prints them.

func ingestionText(speed float64) string {
	return fmt.Sprintf("~%d t/s", 250*(int64(speed)/250))
}

func speedText(speed float64) string {
	return fmt.Sprintf("~%d t/s for each request", int64(speed))
}

func tokensText(tokens float64) string {
	return fmt.Sprintf("~%dk tokens", 25*(int64(tokens)/25000))
}

// kvCacheTokens emits the median of the estimates of all profiles.
func (s *suite) kvCacheTokens() {
	var estimates []float64
	var first *record.Samples
	for _, f := range s.cache {
		if e := f.Nums["estimate"]; e > 0 {
			estimates = append(estimates, e)
			if first == nil {
				first = f
			}
		}
	}
	if first == nil {
		return
	}
	m := median(estimates)
	s.figure(first.Base, metric.KVCacheTokens, "", m, "tokens", tokensText(m),
		fmt.Sprintf("median over %d KV-cache profiles of mean tokens a request x requests running / cache usage, at "+
			"the highest usage", len(estimates)), len(estimates))
}

// The workload and load of which the card shows the speed of a request.
var atTen = load{scenario{1024, 128}, 10}

func (s *suite) speedAtTen() {
	for _, p := range s.points {
		if p.load != atTen || p.median == nil || *p.median <= 0 {
			continue
		}
		from, count := record.Base{}, 0
		if p.raw != nil {
			from, count = p.raw.Base, 1
		} else {
			from = p.speed.Base
		}
		s.figure(from, metric.SpeedPerRequest, atTen.String(), *p.median, "tok/s", speedText(*p.median),
			"median over requests of chunks / time of the request, time to first token included", count)
	}
}

// thresholds emits the highest loads of each scenario that keep a limit.
func (s *suite) thresholds() {
	for _, sc := range s.scenarios {
		var speed, cache []*point // that count
		for _, p := range s.points {
			if p.scenario != sc || !p.counts {
				continue
			}
			if p.median != nil {
				speed = append(speed, p)
			}
			if p.cache != nil {
				cache = append(cache, p)
			}
		}
		s.threshold(sc, metric.ThresholdSpeed, "speed_threshold", speed,
			fmt.Sprintf("the median speed of a request is at least %s tok/s", number(s.speedLimit)),
			func(p *point) bool { return *p.median >= s.speedLimit })
		s.threshold(sc, metric.ThresholdKVCache, "kv_cache_threshold", cache,
			"less than 95 % of the KV cache is used", func(p *point) bool { return *p.cache < cacheLimit })
	}
}

// threshold emits the highest of the loads that keep a limit, 0 where none does, and compares it
// with the report. Without points the report's own number stands.
func (s *suite) threshold(sc scenario, q metric.ID, key string, points []*point, what string, keeps func(*point) bool) {
	var rows []*record.Samples
	for _, r := range s.limits {
		if scenarioOf(r) == sc && num(r, key) != nil {
			rows = append(rows, r)
		}
	}
	if len(points) == 0 {
		if len(rows) > 0 {
			s.figure(rows[0].Base, q, sc.String(), rows[0].Nums[key], "requests", "", "read from the report", 0)
		}
		return
	}
	highest, files := 0.0, 0
	for _, p := range points {
		if keeps(p) {
			highest = float64(p.n)
		}
		if p.raw != nil {
			files++
		}
	}
	last := points[len(points)-1]
	basis := fmt.Sprintf("the highest of %d %s at which %s", len(points), metric.Noun(len(points), "load"), what)
	if highest == float64(last.n) {
		basis += ", and the highest that was measured"
	}
	from := last.origin()
	s.figure(from, q, sc.String(), highest, "requests", "", basis, files)
	for _, r := range rows {
		s.compare(r, from.At, fmt.Sprintf("%s, %s", sc, key), num(r, key), highest)
	}
}

func (p *point) origin() record.Base {
	switch {
	case p.raw != nil:
		return p.raw.Base
	case p.speed != nil:
		return p.speed.Base
	}
	return p.total.Base
}

func (s *suite) figure(from record.Base, q metric.ID, of string, v float64, unit, published, basis string, count int) {
	s.emit(&record.Figure{Base: s.base(from), Quantity: q, Of: of, Value: &v, Unit: unit, Published: published,
		Basis: basis, From: count})
}

func (s *suite) note(from record.Base, code string, severity record.Severity, text string) {
	s.emit(&record.Note{Base: s.base(from), Code: code, Severity: severity, Text: text})
}

// compare notes where a number of the report is not that of the raw files.
func (s *suite) compare(r *record.Samples, at record.Pos, what string, reported *float64, computed float64) {
	if reported == nil || near(*reported, computed) {
		return
	}
	if s.notes++; s.notes > mostNotes {
		return
	}
	s.note(r.Base, "report-differs", record.Warning,
		fmt.Sprintf("%s: the report says %v, but %v is what follows from %s", what, *reported,
			metric.Round(computed), at))
}

func (s *suite) compareTotal(byLoad map[load]*point, p *point, r *record.Samples) {
	at := p.origin().At
	s.compare(r, at, p.load.String()+", actual_total_time", num(r, "actual_total_time"), p.wall)
	s.compare(r, at, p.load.String()+", total_time", num(r, "total_time"), p.totalTime)
	s.compare(r, at, p.load.String()+", total_number_of_generated_tokens", num(r, "total_number_of_generated_tokens"),
		p.tokens)
	if p.raw == nil {
		return
	}
	if one := byLoad[load{p.scenario, 1}]; one != nil && one.raw != nil {
		if speed, ok := totalSpeed(one, p); ok {
			s.compare(r, at, p.load.String()+", total generation speed", num(r, "speed"), speed)
		}
	}
}

func (s *suite) compareSpeed(p *point, r *record.Samples) {
	at := p.origin().At
	for _, q := range []struct {
		key      string
		quantity metric.ID
	}{{"speed_generation", metric.SpeedPerRequest}, {"time_to_first_token", metric.TTFT}} {
		var low, mid, high *float64
		if p.raw != nil {
			low, mid, high = value(p.raw, q.quantity, "p25"), value(p.raw, q.quantity, metric.Median),
				value(p.raw, q.quantity, "p75")
		} else if m := num(p.speed, q.key); m != nil {
			a, b := *m-p.speed.Nums[q.key+" below"], *m+p.speed.Nums[q.key+" above"]
			low, mid, high = &a, m, &b
		}
		m := num(r, q.key)
		if m == nil || low == nil || mid == nil || high == nil {
			continue
		}
		a, b := *m-r.Nums[q.key+" below"], *m+r.Nums[q.key+" above"]
		s.compare(r, at, p.load.String()+", median of "+q.key, m, *mid)
		s.compare(r, at, p.load.String()+", 25th percentile of "+q.key, &a, *low)
		s.compare(r, at, p.load.String()+", 75th percentile of "+q.key, &b, *high)
	}
	if p.cache != nil {
		s.compare(r, at, p.load.String()+", max_kv_cache", num(r, "max_kv_cache"), *p.cache)
	}
}

// choice is one value of a parameter, in how many files it stands, and the first place where it does.
type choice struct {
	value string
	count int
	at    record.Pos
}

// choices are the values of each parameter, and the parameters in the order of the files.
func (s *suite) choices() (order []string, choices map[string][]choice) {
	choices = map[string][]choice{}
	groups := map[string][]*record.Samples{} // by their bytes: mostly one
	var texts []string
	for _, p := range s.parameters {
		t := string(p.Raw)
		if groups[t] == nil {
			texts = append(texts, t)
		}
		groups[t] = append(groups[t], p)
	}
	for _, t := range texts {
		g := groups[t]
		v, err := reading.Parse([]byte(t))
		if err != nil {
			continue
		}
		i := -1
		done := map[string]bool{}
		last := v.Map()
		v.Fields(func(key string, _ reading.Value) bool {
			i++
			if key == "" || done[key] {
				return true
			}
			done[key] = true
			at := g[0].At
			if i < len(g[0].X) {
				at.Line, at.Col = int(g[0].X[i]), 0
			}
			cs := choices[key]
			if cs == nil {
				order = append(order, key)
			}
			text := string(last[key].Bytes())
			if k := slices.IndexFunc(cs, func(c choice) bool { return c.value == text }); k >= 0 {
				cs[k].count += len(g)
				return true
			}
			choices[key] = append(cs, choice{text, len(g), at})
			return true
		})
	}
	return order, choices
}

// commonParameters emits the launch arguments of the suite: of a key that is not the same in all
// files the value of most, of as many the first, with a note.
func (s *suite) commonParameters() {
	if len(s.parameters) == 0 {
		return
	}
	order, choices := s.choices()
	first := s.parameters[0]
	server := &record.Params{Base: s.base(first.Base), Of: "server"}
	client := &record.Params{Base: s.base(first.Base), Of: "client"}
	var notes []string
	for _, key := range order {
		cs := choices[key]
		best := slices.MaxFunc(cs, func(a, b choice) int { return cmp.Compare(a.count, b.count) })
		of := server
		if slices.Contains(ofClient, key) {
			of = client
		}
		of.Params = append(of.Params, record.Param{Name: key, Value: json.RawMessage(best.value), At: best.at})
		if len(cs) > 1 {
			var values []string
			for _, c := range cs {
				values = append(values, fmt.Sprintf("%.80s in %d of %d files (%s)", c.value, c.count,
					len(s.parameters), c.at))
			}
			notes = append(notes,
				fmt.Sprintf("parameter %q changed within the suite: %s: the value of most files is shown",
					key, strings.Join(values, ", ")))
		}
	}
	for _, p := range []*record.Params{server, client} {
		if len(p.Params) > 0 {
			s.emit(p)
		}
	}
	for _, text := range notes {
		s.note(first.Base, "parameter-changed", record.Warning, text)
	}
}
