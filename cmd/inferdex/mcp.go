package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Answer questions of an assistant about the catalog (Model Context Protocol)",
		Long: `Serve the catalog to one assistant by the Model Context Protocol, on standard input and output, until the input
ends. There are three tools, which read the catalog as it is at each call and change nothing:

  list_cards   what was measured: each model on each hardware, with its runs and headline figures
  get_points   numbers of a card or a run, each with the file and line it was read from
  compare      two cards or runs, load by load, with what is refused and what chance could explain

Names are those of the catalog: no other file is opened.`,
		Example: `  inferdex mcp
  claude mcp add benchmarks -- inferdex -C <my-benchmarks> mcp`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, _, err := a.load(); err != nil {
				return err
			}
			m := newMessages(a.stdin, a.stdout)
			err := a.mcpServer().Run(cmd.Context(), &mcp.IOTransport{Reader: m, Writer: m})
			if cmd.Context().Err() != nil {
				return failed(cmd.Context().Err())
			}
			if err != nil {
				return failed(fmt.Errorf("the session ended: %w", err))
			}
			return nil
		},
	}
}

// messages are the lines of in that are messages of JSON-RPC. Each other line is answered with what is wrong with it, as
// the server behind it would end the session; and in ends when all calls are answered, as it would leave them.
type messages struct {
	in   *bufio.Reader
	rest []byte // of the line that is read
	out  io.Writer

	sync.Mutex
	answered *sync.Cond       // of a call
	open     map[any]struct{} // ids of calls that are not answered yet
}

func newMessages(in io.Reader, out io.Writer) *messages {
	m := &messages{in: bufio.NewReader(in), out: out, open: map[any]struct{}{}}
	m.answered = sync.NewCond(m)
	return m
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			m.line(line)
		}
		if err != nil && len(m.rest) == 0 {
			m.Lock()
			defer m.Unlock()
			for len(m.open) > 0 {
				m.answered.Wait()
			}
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line takes a message, or answers what is none.
func (m *messages) line(line []byte) {
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		code, why := jsonrpc.CodeParseError, "Parse error: a line is one message in JSON"
		if json.Valid(line) {
			code, why = jsonrpc.CodeInvalidRequest, "Invalid Request: a line is one message of JSON-RPC 2.0"
		}
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why)
		_, _ = m.Write([]byte(answer)) // the server's own answers fail then too
		return
	}
	m.rest = append(line, '\n')
	request, ok := message.(*jsonrpc.Request)
	if !ok {
		return
	}
	m.Lock()
	defer m.Unlock()
	if request.IsCall() {
		m.open[request.ID.Raw()] = struct{}{}
		return
	}
	if request.Method == "notifications/cancelled" {
		clear(m.open) // one of them need not be answered
	}
}

// Write writes a whole message.
func (m *messages) Write(message []byte) (int, error) {
	m.Lock()
	defer m.Unlock()
	if said, err := jsonrpc.DecodeMessage(message); err == nil {
		if answer, ok := said.(*jsonrpc.Response); ok {
			delete(m.open, answer.ID.Raw())
			m.answered.Broadcast()
		}
	}
	return m.out.Write(message)
}

// Close leaves standard input and output open.
func (*messages) Close() error { return nil }

func (a *app) mcpServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "inferdex", Version: thisBuild().Version},
		&mcp.ServerOptions{Instructions: export.Quoting})
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true}
	mcp.AddTool(s, &mcp.Tool{Name: "list_cards", Annotations: reads,
		Description: "Each model on each hardware that was measured, with its runs and headline figures."}, tool(a, listCards))
	mcp.AddTool(s, &mcp.Tool{Name: "get_points", Annotations: reads,
		Description: "Measured numbers of a card or a run in base units, each with its workload, load, file and line."},
		tool(a, getPoints))
	mcp.AddTool(s, &mcp.Tool{Name: "compare", Annotations: reads,
		Description: "Two cards or runs, load by load: differences with their certainty, parameters that differ, and " +
			"what is refused because the workloads differ."}, tool(a, comparePair))
	return s
}

// tool is a function on the catalog as the protocol calls it. An error is the answer to the call, with its reason.
func tool[In, Out any](a *app, answer func(*figure.Index, In) (Out, error)) mcp.ToolHandlerFor[In, any] {
	return func(_ context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		ix, _, err := a.load()
		if err != nil {
			return nil, nil, err
		}
		out, err := answer(ix, in)
		return nil, out, err
	}
}

// listQuery are the arguments of list_cards.
type listQuery struct {
	Model    string `json:"model,omitempty" jsonschema:"a part of the name of a model"`
	Hardware string `json:"hardware,omitempty" jsonschema:"a part of the name of a hardware"`
}

type listAnswer struct {
	Cards []cardObject `json:"cards"`
}

func listCards(ix *figure.Index, q listQuery) (listAnswer, error) {
	out := listAnswer{Cards: []cardObject{}}
	has := func(s, part string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(part)) }
	for _, o := range cardTable(ix).objects {
		if c := o.(cardObject); (has(c.ModelName, q.Model) || has(c.Model, q.Model)) && has(c.Hardware, q.Hardware) {
			out.Cards = append(out.Cards, c)
		}
	}
	return out, nil
}

// mostRows is how many numbers get_points gives at once.
const mostRows = 500

// pointQuery are the arguments of get_points.
type pointQuery struct {
	Name      string `json:"name" jsonschema:"name of a card (slug of list_cards) or id of a run"`
	Metric    string `json:"metric,omitempty" jsonschema:"a metric such as output_throughput, ttft, tpot; all where it is left out"`
	Statistic string `json:"statistic,omitempty" jsonschema:"value, mean, median, p99 and others; all where it is left out"`
}

// pointRow is a number with all that it may be quoted with.
type pointRow struct {
	Run       string        `json:"run"`
	Workload  string        `json:"workload"`
	Axis      string        `json:"axis,omitempty"`
	Load      *record.Float `json:"load"`
	Metric    metric.ID     `json:"metric"`
	Statistic string        `json:"statistic"`
	Value     float64       `json:"value"`
	Unit      string        `json:"unit"`
	Source    string        `json:"source"`
	Line      int           `json:"line,omitempty"`
	Suspect   string        `json:"suspect,omitempty"`
}

type pointAnswer struct {
	Title  string     `json:"title"`
	Engine string     `json:"engine,omitempty"`
	Points []pointRow `json:"points"`
	// More counts the numbers that are not given: ask for one metric.
	More int `json:"more,omitempty"`
}

func getPoints(ix *figure.Index, q pointQuery) (pointAnswer, error) {
	if _, known := metric.Lookup(metric.ID(q.Metric)); q.Metric != "" && !known {
		return pointAnswer{}, fmt.Errorf("no metric %q", q.Metric)
	}
	s, err := named(ix, q.Name)
	if err != nil {
		return pointAnswer{}, err
	}
	r := s.Runs[0].Run
	if r.Withdrawn != "" {
		return pointAnswer{}, fmt.Errorf("run %s is withdrawn, and must not be quoted: %s", r.ID, r.Withdrawn)
	}
	out := pointAnswer{Title: r.Card.Title(), Engine: r.EngineName(), Points: []pointRow{}}
	for row := range export.Rows([]*figure.Run{r}) {
		if q.Metric != "" && string(row.Metric.ID) != q.Metric || q.Statistic != "" && row.Stat != q.Statistic {
			continue
		}
		if len(out.Points) == mostRows {
			out.More++
			continue
		}
		out.Points = append(out.Points, pointRow{r.ID, row.Scenario.Title, row.Scenario.Axis, row.Load(), row.Metric.ID,
			row.Stat, row.Value, row.Metric.Unit, row.Source(), row.Point.At.Line, row.Suspect})
	}
	return out, nil
}

// compareQuery are the arguments of compare.
type compareQuery struct {
	A      string   `json:"a" jsonschema:"name of a card or id of a run: the baseline"`
	B      string   `json:"b" jsonschema:"name of a card or id of a run"`
	Limits []string `json:"limits,omitempty" jsonschema:"limits on the change from a to b, such as output_throughput<-5%"`
}

func comparePair(ix *figure.Index, q compareQuery) (*compare.Comparison, error) {
	var sides [2]*compare.Subject
	for i, name := range []string{q.A, q.B} {
		s, err := named(ix, name)
		if err != nil {
			return nil, err
		}
		if r := s.Runs[0]; r.Withdrawn != "" {
			return nil, fmt.Errorf("run %s is withdrawn, and must not be quoted: %s", r.ID, r.Withdrawn)
		}
		sides[i] = s
	}
	var gates []compare.Gate
	for _, list := range q.Limits {
		g, err := compare.ParseGates(list)
		if err != nil {
			return nil, err
		}
		gates = append(gates, g...)
	}
	return compare.Sides(sides[0], sides[1], gates, false), nil
}
