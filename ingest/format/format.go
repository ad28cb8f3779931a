// Package format lists the formats that inferdex reads. It is a list and nothing else: adding a
// format adds its package beside this file and one line below.
package format

import (
	"fmt"
	"sort"

	"github.com/inferdex/inferdex/ingest/format/aiperf"
	"github.com/inferdex/inferdex/ingest/format/amdsmi"
	"github.com/inferdex/inferdex/ingest/format/benchreport"
	"github.com/inferdex/inferdex/ingest/format/collectenv"
	"github.com/inferdex/inferdex/ingest/format/evalscope"
	"github.com/inferdex/inferdex/ingest/format/genaibench"
	"github.com/inferdex/inferdex/ingest/format/guidellm"
	"github.com/inferdex/inferdex/ingest/format/happyvllm"
	"github.com/inferdex/inferdex/ingest/format/headlines"
	"github.com/inferdex/inferdex/ingest/format/hfbenchmarker"
	"github.com/inferdex/inferdex/ingest/format/inferenceperf"
	"github.com/inferdex/inferdex/ingest/format/inferencexagg"
	"github.com/inferdex/inferdex/ingest/format/inferencexchangelog"
	"github.com/inferdex/inferdex/ingest/format/inferencexcsv"
	"github.com/inferdex/inferdex/ingest/format/jekyllpage"
	"github.com/inferdex/inferdex/ingest/format/launchparams"
	"github.com/inferdex/inferdex/ingest/format/llamabatched"
	"github.com/inferdex/inferdex/ingest/format/llamabench"
	"github.com/inferdex/inferdex/ingest/format/llamabenchy"
	"github.com/inferdex/inferdex/ingest/format/llamatimings"
	"github.com/inferdex/inferdex/ingest/format/llmdprism"
	"github.com/inferdex/inferdex/ingest/format/llmdreport"
	"github.com/inferdex/inferdex/ingest/format/llmperf"
	"github.com/inferdex/inferdex/ingest/format/lmdeploy"
	"github.com/inferdex/inferdex/ingest/format/lmeval"
	"github.com/inferdex/inferdex/ingest/format/lscpu"
	"github.com/inferdex/inferdex/ingest/format/mlperf"
	"github.com/inferdex/inferdex/ingest/format/modelcard"
	"github.com/inferdex/inferdex/ingest/format/nvidiasmi"
	"github.com/inferdex/inferdex/ingest/format/ollama"
	"github.com/inferdex/inferdex/ingest/format/optimumbench"
	"github.com/inferdex/inferdex/ingest/format/rocmsmi"
	"github.com/inferdex/inferdex/ingest/format/runmeta"
	"github.com/inferdex/inferdex/ingest/format/servingcsv"
	"github.com/inferdex/inferdex/ingest/format/servinglog"
	"github.com/inferdex/inferdex/ingest/format/sglangbatch"
	"github.com/inferdex/inferdex/ingest/format/sglangserve"
	"github.com/inferdex/inferdex/ingest/format/table"
	"github.com/inferdex/inferdex/ingest/format/telemetry"
	"github.com/inferdex/inferdex/ingest/format/tgibench"
	"github.com/inferdex/inferdex/ingest/format/trtllmbench"
	"github.com/inferdex/inferdex/ingest/format/trtllmserve"
	"github.com/inferdex/inferdex/ingest/format/vllmlog"
	"github.com/inferdex/inferdex/ingest/format/vllmmultiturn"
	"github.com/inferdex/inferdex/ingest/format/vllmoffline"
	"github.com/inferdex/inferdex/ingest/format/vllmpytorch"
	"github.com/inferdex/inferdex/ingest/format/vllmserve"
	"github.com/inferdex/inferdex/ingest/format/vllmsuite"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// All returns the formats in the order of the documentation: results, published pages,
// parameters, hardware.
func All() []*reading.Format { return With(nil) }

// Table maps the columns of tables that no tool writes.
type Table = table.Map

// Mapped is [All] with the tables that settings map, and what is wrong in their columns, in the order of the lines. Where
// something is, the list is nil.
func Mapped(described []settings.Table) (list []*reading.Format, wrong []settings.Diagnostic) {
	var tables []Table
	for _, t := range described {
		m := Table{Files: t.Match, Tool: t.Tool, Computed: t.Computed}
		for _, c := range t.Columns {
			if err := m.Column(c.Name, c.Meaning, settings.FactKeys()); err != nil {
				wrong = append(wrong,
					settings.Diagnostic{File: t.File, Line: c.Line, Message: fmt.Sprintf("column %q: %v", c.Name, err)})
			}
		}
		for _, f := range t.Facts {
			m.Facts = append(m.Facts,
				record.Fact{Key: f.Key, Value: f.Value, At: record.Pos{File: f.File, Line: f.Line}})
		}
		tables = append(tables, m)
	}
	if len(wrong) > 0 {
		sort.SliceStable(wrong, func(i, j int) bool { return wrong[i].Line < wrong[j].Line })
		return nil, wrong
	}
	return With(tables), nil
}

// With is [All] with tables that are mapped.
func With(tables []Table) []*reading.Format {
	return []*reading.Format{
		vllmserve.Format,
		servingcsv.Format,
		servinglog.Format,
		vllmmultiturn.Format,
		vllmoffline.Format,
		vllmpytorch.Format,
		vllmsuite.Format,
		sglangserve.Format,
		sglangbatch.Format,
		trtllmserve.Format,
		trtllmbench.Format,
		guidellm.Format,
		aiperf.Format,
		inferencexagg.Format,
		inferencexcsv.Format,
		inferencexchangelog.Format,
		inferenceperf.Format,
		llmdreport.Format,
		llmdprism.Format,
		llamabench.Format,
		llamabatched.Format,
		llamabenchy.Format,
		llamatimings.Format,
		lmdeploy.Format,
		tgibench.Format,
		ollama.Format,
		llmperf.Format,
		genaibench.Format,
		evalscope.Format,
		optimumbench.Format,
		hfbenchmarker.Format,
		mlperf.Format,
		lmeval.Format,
		table.With(tables),
		happyvllm.Format,
		benchreport.Format,
		jekyllpage.Format,
		modelcard.Format,
		headlines.Format,
		launchparams.Format,
		vllmlog.Format,
		runmeta.Format,
		telemetry.Format,
		nvidiasmi.Format,
		rocmsmi.Format,
		amdsmi.Format,
		lscpu.Format,
		collectenv.Format,
	}
}
