package settings

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// rawFiles reads the inputs of the demonstration catalog, by path below data/raw.
func rawFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS("../../data/raw"), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[p], err = os.ReadFile("../../data/raw/" + p)
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("data/raw: %d files, %v", len(files), err)
	}
	return files
}

// TestRawSources holds that every input says where it comes from, and that its sidecars are right.
func TestRawSources(t *testing.T) {
	files := rawFiles(t)
	sidecars, diags := LoadSidecars(files)
	for _, d := range diags {
		t.Error(d)
	}
	for p := range files {
		if IsSidecar(path.Base(p)) {
			continue
		}
		s := sidecars.For(RunMatch{Path: p, Index: 1}).Source
		if s == nil || s.Title == "" || !strings.HasPrefix(s.Address, "https://") || s.License == "" || s.Author == "" {
			t.Errorf("%s: source %+v", p, s)
		}
	}
	for i, series := range []string{"v0-main", "v1-main", "v1-patched"} {
		facts := sidecars.For(RunMatch{Path: "rocm-v0-v1-mi300x/" + series + ".jsonl", Index: 1}).Facts
		want := map[string]string{"series": series, "hardware": "MI300X", "engine": "vLLM",
			"baseline": map[bool]string{true: "true"}[i == 0]}
		for k, v := range want {
			if got := factValue(facts, k); got != v {
				t.Errorf("%s: %s is %q, want %q", series, k, got, v)
			}
		}
	}
	phi := sidecars.For(RunMatch{Path: "happy-vllm-cards/phi-3-vision-on-h100/headlines.csv", Index: 1})
	if len(phi.Overrides) != 1 || phi.Overrides[0].Key != "hardware" || phi.Overrides[0].Value != "A100-80g" ||
		phi.Overrides[0].Reason == "" {
		t.Errorf("the card that names the wrong accelerator: %+v", phi.Overrides)
	}
}

func factValue(facts []Fact, key string) string {
	for _, f := range facts {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// TestRawServing holds that the records of the serving runs agree with themselves: throughputs
// are tokens by duration, and each series has the same seven rates.
func TestRawServing(t *testing.T) {
	files := rawFiles(t)
	for _, series := range []string{"v0-main", "v1-main", "v1-patched"} {
		var rates []any
		date := ""
		sc := bufio.NewScanner(bytes.NewReader(files["rocm-v0-v1-mi300x/"+series+".jsonl"]))
		for sc.Scan() {
			var r struct {
				Date       string  `json:"date"`
				Model      string  `json:"model_id"`
				Rate       any     `json:"request_rate"`
				Prompts    float64 `json:"num_prompts"`
				Completed  float64 `json:"completed"`
				Duration   float64 `json:"duration"`
				Input      float64 `json:"total_input_tokens"`
				Output     float64 `json:"total_output_tokens"`
				Requests   float64 `json:"request_throughput"`
				OutputRate float64 `json:"output_throughput"`
				TotalRate  float64 `json:"total_token_throughput"`
			}
			if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if r.Date <= date || r.Model != "mistralai/Mistral-Small-24B-Instruct-2501" {
				t.Errorf("%s: date %s after %s, model %s", series, r.Date, date, r.Model)
			}
			date = r.Date
			rates = append(rates, r.Rate)
			want := r.Prompts
			if r.Rate == "inf" {
				want = 1015
				if r.Prompts != 2000 {
					t.Errorf("%s: %v prompts at once", series, r.Prompts)
				}
			}
			if r.Completed != want || r.Input != 1000*want || r.Output != 100*want {
				t.Errorf("%s, rate %v: %v completed, %v and %v tokens", series, r.Rate, r.Completed, r.Input, r.Output)
			}
			for name, pair := range map[string][2]float64{
				"requests": {r.Requests, r.Completed / r.Duration}, "output": {r.OutputRate, r.Output / r.Duration},
				"total": {r.TotalRate, (r.Input + r.Output) / r.Duration},
			} {
				if math.Abs(pair[0]/pair[1]-1) > 1e-12 {
					t.Errorf("%s, rate %v: %s throughput %v, want %v", series, r.Rate, name, pair[0], pair[1])
				}
			}
		}
		if want := []any{1.0, 3.0, 5.0, 7.0, 9.0, 11.0, "inf"}; !slices.Equal(rates, want) {
			t.Errorf("%s: rates %v", series, rates)
		}
	}
}

// TestRawReport holds that the derived speeds of the report follow from its latencies, within
// the digits it prints.
func TestRawReport(t *testing.T) {
	var report struct {
		Model, Hardware, Date string
		Results               []struct {
			Name        string
			InputLen    float64 `json:"input_len"`
			Concurrency float64
			Output      float64 `json:"output_throughput"`
			Peak        float64 `json:"peak_output_throughput"`
			TTFTMean    float64 `json:"ttft_mean_ms"`
			TTFTMedian  float64 `json:"ttft_median_ms"`
			TTFTP99     float64 `json:"ttft_p99_ms"`
			TPOTMean    float64 `json:"tpot_mean_ms"`
			TPOTMedian  float64 `json:"tpot_median_ms"`
			TPOTP99     float64 `json:"tpot_p99_ms"`
			PP          float64 `json:"pp_speed"`
			TG          float64 `json:"tg_speed"`
		}
	}
	if err := json.Unmarshal(rawFiles(t)["mi100-devstral/benchmark.json"], &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Results) != 10 {
		t.Fatalf("%d results", len(report.Results))
	}
	n := repositoryNames(t)
	if h := n.Hardware(report.Hardware, 0); h.Slug != "4x-mi100" || !n.Model(report.Model).Known {
		t.Errorf("%s on %s", report.Model, h.Slug)
	}
	for _, r := range report.Results {
		// Latencies are printed to 0.01 ms, speeds to 0.1 tok/s.
		if d := math.Abs(1000/r.TPOTMean - r.TG); d > 0.05+1000*0.005/(r.TPOTMean*r.TPOTMean)+1e-9 {
			t.Errorf("%s: decode speed %v, TPOT %v", r.Name, r.TG, r.TPOTMean)
		}
		if d := math.Abs(1000*r.InputLen/r.TTFTMean - r.PP); d > 0.05+1000*r.InputLen*0.005/(r.TTFTMean*r.TTFTMean)+1e-9 {
			t.Errorf("%s: prefill speed %v, TTFT %v", r.Name, r.PP, r.TTFTMean)
		}
		if r.TTFTMedian > r.TTFTP99 || r.TPOTMedian > r.TPOTP99 || r.Output > r.Peak || r.Concurrency < 1 {
			t.Errorf("%s: %+v", r.Name, r)
		}
	}
}

// TestRawCards holds that the cards' names are listed, that the launch arguments are those of
// their version, and that what the catalog is to show is there.
func TestRawCards(t *testing.T) {
	files := rawFiles(t)
	n := repositoryNames(t)
	on := map[string]map[string]bool{}       // accelerators by model
	versions := map[string]map[string]bool{} // engine versions by model
	add := func(m map[string]map[string]bool, k, v string) {
		if m[k] == nil {
			m[k] = map[string]bool{}
		}
		m[k][v] = true
	}
	rows := 0
	for p, data := range files {
		switch path.Base(p) {
		case "headlines.csv":
			table, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			column := map[string]int{}
			for i, c := range table[0] {
				column[c] = i
			}
			for _, row := range table[1:] {
				rows++
				m := n.Model(row[column["model"]])
				if !m.Known {
					t.Errorf("%s: model %q is not listed", p, row[column["model"]])
				}
				if hw := row[column["hardware"]]; hw != "" {
					h := n.Hardware(hw, 0)
					if !h.Accelerator.Known {
						t.Errorf("%s: hardware %q is not listed", p, hw)
					}
					add(on, m.Name, h.Accelerator.ID)
				}
				add(versions, m.Name, row[column["engine_version"]])
				for _, c := range []string{"prompt_ingestion_speed", "generation_speed_10_parallel",
					"kv_cache_tokens"} {
					if !strings.HasPrefix(row[column[c]], "~") {
						t.Errorf("%s: %s %q", p, c, row[column[c]])
					}
				}
			}
		case "parameters.json":
			var params map[string]json.RawMessage
			if err := json.Unmarshal(data, &params); err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			var version string
			if err := json.Unmarshal(params["vllm_version"], &version); err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			for k := range params {
				if n.Owner(k) != "" {
					continue
				}
				if v, s := n.Default("vllm", version, k); s != DefaultKnown || !json.Valid(v) {
					t.Errorf("%s: no default of %s in %s", p, k, version)
				}
			}
		}
	}
	if rows != 14 {
		t.Errorf("%d cards", rows)
	}
	if got := on["CodeLlama 7B Instruct"]; len(got) != 3 {
		t.Errorf("CodeLlama 7B stands on %v", got)
	}
	if got := on["Phi-3 Vision 128K Instruct"]; len(got) != 2 || len(versions["Phi-3 Vision 128K Instruct"]) < 2 {
		t.Errorf("Phi-3 Vision stands on %v with %v", got, versions["Phi-3 Vision 128K Instruct"])
	}
}
