package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// field returns the directory with folders of result files as people leave them, which is no part
// of this repository.
func field(t testing.TB) string {
	dir := os.Getenv("INFERDEX_FIELD")
	if dir == "" {
		t.Skip("skipped: INFERDEX_FIELD names no directory with real result files (make conformance FIELD=DIR)")
	}
	return dir
}

// fieldRuns are the runs of a folder of [field], and what was said of them.
func fieldRuns(t *testing.T, folder string) (runs []*figure.Run, c *catalog.Catalog, said string) {
	t.Helper()
	ix, c, _, said := ingested(t, filepath.Join(field(t), folder))
	return ix.Runs, c, said
}

// at are the runs with a source whose path holds a part.
func at(runs []*figure.Run, part string) (out []*figure.Run) {
	for _, r := range runs {
		for _, s := range r.Sources {
			if strings.Contains(s.Path, part) {
				out = append(out, r)
				break
			}
		}
	}
	return out
}

// fieldValue is a statistic of a point, -1 where it is not there.
func fieldValue(p *catalog.Point, m string, stat string) float64 {
	v, ok := figure.Get(p, metric.ID(m), stat)
	if !ok {
		return -1
	}
	return v
}

// Text inside of JSON is read as the text it is: model, tensor parallelism and rate come from the
// command in the text.
func TestConformanceFieldTextInJSON(t *testing.T) {
	runs, _, said := fieldRuns(t, "folder-names")
	points := 0
	for _, r := range runs {
		for i := range r.Points {
			p := &r.Points[i]
			if p.Load.Rate == nil || math.IsInf(float64(*p.Load.Rate), 0) { // a throughput test
				continue
			}
			points++
			if strings.Contains(r.Identity.Model, "_") || !strings.Contains(r.Identity.Model, "/") {
				t.Errorf("model %q is that of a file name", r.Identity.Model)
			}
			if fieldValue(p, "ttft", "mean") <= 0 || p.Completed == nil || *p.Completed != 180 && *p.Completed <= 0 {
				t.Errorf("%s at rate %v: %+v", r.Identity.Model, *p.Load.Rate, p)
			}
		}
	}
	if points != 14 {
		t.Errorf("%d points of printed results, want 14, a file each\n%s", points, lastLine(said))
	}
}

// The blocks of two formats in one file are all read.
func TestConformanceFieldSeveralFormats(t *testing.T) {
	runs, _, said := fieldRuns(t, "lhl/vllm")
	serving, bench := 0, 0
	for _, r := range runs {
		if r.Identity.Tool == "llama-bench" {
			bench += len(r.Points)
		} else {
			serving += len(r.Points)
		}
	}
	if serving != 11 || bench != 16 {
		t.Errorf("%d serving results and %d of llama-bench, want 11 and 16\n%s", serving, bench, lastLine(said))
	}
}

// The table that nvidia-smi prints gives the product, the count, the driver, CUDA and the memory.
func TestConformanceFieldNvidiaSMI(t *testing.T) {
	root := field(t)
	want := map[string]string{
		"nvidia-smi/sglang_20260607T115213Z_container_nvidia_smi.txt":      "NVIDIA GB10 580.159.03 13.2 1 0",
		"nvidia-smi/aeon_gemma26_dflash_20260608T0436JST_nvidia_smi.txt":   "NVIDIA GB10 580.159.03 13.0 1 0",
		"dstack/nvidia/8xh100/gpu-stats-after-loading.txt":                 "8x NVIDIA H100 80GB HBM3 550.90.12 12.4 8 72770",
		"dstack/comparison/h100sxm5_vs_mi300x/raw_data/gpu-usage.md":       "",
		"dstack/comparison/h100sxm5_vs_mi300x/README.md (several reports)": "",
	}
	for name, want := range want {
		name, several := strings.CutSuffix(name, " (several reports)")
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		records, _ := ingest.ReadFile(name, data, format.All())
		var got []string
		for _, r := range records {
			s, ok := r.(*record.System)
			if !ok {
				continue
			}
			facts := map[string]string{}
			for _, f := range s.Facts {
				facts[f.Key] = f.Value
			}
			used := 0.0
			if len(s.Devices) > 0 && s.Devices[0].MemoryUsedMiB != nil {
				used = *s.Devices[0].MemoryUsedMiB
			}
			got = append(got, fmt.Sprintf("%s %s %s %d %v", facts["hardware"], facts["driver"], facts["cuda"], len(s.Devices), used))
		}
		if several && len(got) != 3 || !several && strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
