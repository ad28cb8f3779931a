package sglangserve

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// server is what server_info says of the server.
type server struct {
	at                  record.Pos
	model               string
	facts               reading.Facts
	params              []record.Param
	digest              string // of the arguments that make the setup
	prefixCache         *bool
	kvTokens            *float64
	topK, draftTokens   int64 // of speculative decoding, 0 if unknown
	unmapped            []string
	disaggregated, half bool
}

// states are members of server_info that are no launch arguments but what the server found out.
var states = []string{"internal_states", "status", "version", "max_total_num_tokens", "max_req_input_len"}

// volatile are arguments that differ when the same server is started again.
var volatile = []string{"random_seed", "port", "nccl_port", "dist_init_addr", "crash_dump_folder"}

// instance is one server process with its arguments; a router stands before several.
type instance struct {
	*reading.Object
	role string // "prefill", "decode" or "" where one server does both
	n    int    // of its role, from 0
}

func (r *reader) server(info *reading.Object) *server {
	s := &server{at: info.Pos()}
	instances := []instance{{Object: info}}
	for _, role := range []string{"prefill", "decode"} {
		list := info.Value(role)
		if list.Kind() != reading.KindArray {
			continue
		}
		s.disaggregated = true
		n := 0
		list.Items(func(_ int, v reading.Value) bool {
			if v.Kind() == reading.KindObject {
				instances = append(instances, instance{reading.NewObject(r.file, v, r.add), role, n})
				n++
			}
			return true
		})
	}

	var setup []string
	first := map[string]instance{}
	for _, in := range instances {
		if in.n == 0 {
			first[in.role] = in
		}
		in.Each(func(k string, v reading.Value) {
			if k == "" || in.role == "" && s.disaggregated && (k == "prefill" || k == "decode") {
				return
			}
			if slices.Contains(states, k) {
				if k != "version" && k != "max_total_num_tokens" && v.Kind() != reading.KindNull {
					s.unmapped = append(s.unmapped, name("server_info", in, k))
				}
				return
			}
			value := v.Compact(reading.Elide{Longer: 256})
			if !slices.Contains(volatile, k) {
				setup = append(setup, name("", in, k)+"="+string(value))
			}
			// Of several servers of one role the first is listed, of the others what differs.
			if in.n > 0 && string(first[in.role].Value(k).Compact(reading.Elide{Longer: 256})) == string(value) {
				return
			}
			s.params = append(s.params, record.Param{Name: name("", in, k), Value: value, At: in.At(k)})
		})
	}
	if v := info.Text("version"); v != "" {
		setup = append(setup, "version="+v)
	}
	sort.Strings(setup)
	s.digest = sessions.Digest(strings.Join(setup, "\n"))

	// What decodes gives the run its name: it makes the tokens.
	main := instances[0]
	for _, role := range []string{"prefill", "decode"} {
		if in, ok := first[role]; ok {
			main = in
		}
	}
	s.describe(main, instances)
	return s
}

// name is how a parameter is called: "tp_size", "decode.tp_size", "decode[1].tp_size".
func name(under string, in instance, key string) string {
	role := in.role
	if in.n > 0 {
		role = fmt.Sprintf("%s[%d]", role, in.n)
	}
	var parts []string
	for _, p := range []string{under, role, key} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ".")
}

// describe takes the facts from the arguments of the main instance.
func (s *server) describe(main instance, all []instance) {
	for _, k := range []string{"model_path", "served_model_name"} {
		if s.model == "" {
			s.model = main.Text(k)
			s.facts.Add(record.FactModel, s.model, main.At(k))
		}
	}
	for _, in := range append([]instance{main}, all...) {
		if v := in.Text("version"); v != "" {
			s.facts.Add(record.FactEngine, "sglang", in.At("version"))
			s.facts.Add(record.FactEngineVersion, v, in.At("version"))
		}
	}
	for _, k := range []string{"quantization", "dtype"} {
		if p := main.Text(k); p != "auto" && p != "None" {
			s.facts.Add(record.FactPrecision, p, main.At(k))
		}
	}
	s.facts.Add(record.FactTokenizer, main.Text("tokenizer_path"), main.At("tokenizer_path"))

	// One half of a divided server tells nothing of the other.
	mode := strings.ToLower(main.Text("disaggregation_mode"))
	s.half = !s.disaggregated && (mode == "prefill" || mode == "decode")
	var count int64
	known := !s.half
	for _, in := range all {
		if in.role == "" && s.disaggregated {
			continue
		}
		n := gpus(in)
		known = known && n > 0
		count += n
	}
	if known && count > 0 && count < 1<<20 {
		s.facts.Add(record.FactCount, strconv.FormatInt(count, 10), main.At("tp_size"))
	}

	prefill := main
	for _, in := range all {
		if in.role == "prefill" {
			prefill = in
			break
		}
	}
	if off := prefill.Truth("disable_radix_cache"); off != nil {
		on := !*off
		s.prefixCache = &on
	}
	s.topK, s.draftTokens = whole(main, "speculative_eagle_topk"), whole(main, "speculative_num_draft_tokens")
	// The capacity is stated for one replica.
	if !s.disaggregated && !s.half && whole(main, "dp_size") <= 1 {
		if n := whole(main, "max_total_num_tokens"); n > 0 {
			f := float64(n)
			s.kvTokens = &f
		}
	}
	if s.kvTokens == nil && main.Has("max_total_num_tokens") {
		s.unmapped = append(s.unmapped, name("server_info", main, "max_total_num_tokens"))
	}
}

// gpus is how many accelerators an instance used, 0 if unknown.
func gpus(in instance) int64 {
	if whole(in, "tp_size") == 0 {
		return 0
	}
	n, _, _ := reading.Accelerators(in.Text)
	return n
}

// whole returns a count of a size that counts of servers have, 0 for any other.
func whole(in instance, key string) int64 {
	n, ok := in.Value(key).Int()
	if !ok || n < 0 || key != "max_total_num_tokens" && n > 1<<16 {
		return 0
	}
	return n
}

// emit gives what holds for the session of a result; nothing where s is nil.
func (s *server) emit(res *record.Result, emit func(record.Record)) {
	if s == nil {
		return
	}
	base := record.Base{At: s.at, Key: res.Key, Identity: res.Identity}
	if len(s.params) > 0 {
		emit(&record.Params{Base: base, Of: "server", Params: s.params})
	}
	if s.kvTokens != nil {
		emit(&record.Figure{Base: base, Quantity: metric.KVCacheTokens,
			Value: s.kvTokens, Unit: "tokens", Basis: "max_total_num_tokens of server_info"})
	}
}
