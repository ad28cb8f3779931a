package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The protocol's own client asks the command, as an assistant's program does.
func TestMCP(t *testing.T) {
	ctx := context.Background()
	questions, asked := io.Pipe()
	answers, answered := io.Pipe()
	var errs bytes.Buffer
	code := make(chan int)
	go func() {
		c := run(ctx, questions, answered, &errs, []string{"-C", "../..", "mcp"})
		_ = answered.Close()
		code <- c
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: answers, Writer: asked}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := session.InitializeResult().Instructions; !strings.Contains(s, "Refuse to answer") {
		t.Errorf("instructions: %q", s)
	}
	tools, err := session.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 3 {
		t.Fatalf("%+v, %v", tools, err)
	}
	ask := func(name string, args map[string]any, answer any) string {
		t.Helper()
		r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		text := r.Content[0].(*mcp.TextContent).Text
		if r.IsError {
			return text
		}
		if err := json.Unmarshal([]byte(text), answer); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return ""
	}
	var list struct {
		Cards []struct {
			Slug string
			Runs []struct{ ID string }
		}
	}
	ask("list_cards", map[string]any{"model": "CODELLAMA 7b", "hardware": "a100"}, &list)
	if len(list.Cards) != 2 {
		t.Errorf("%d cards of CodeLlama 7B on an A100, want two", len(list.Cards))
	}
	var got pointAnswer
	ask("get_points", map[string]any{"name": "mistral-small-24b-instruct-2501-on-mi300x", "metric": "ttft",
		"statistic": "median"}, &got)
	if len(got.Points) == 0 || got.Points[0].Source == "" || got.Points[0].Line == 0 || got.Points[0].Unit != "s" {
		t.Errorf("points without their places: %+v", got)
	}
	var pair struct {
		Verdict, Refused string
		Pairs            []struct{ Workloads []json.RawMessage }
	}
	ask("compare", map[string]any{"a": "jaxpmmiy6jlr", "b": "jaxpmmiy6jlr"}, &pair)
	if pair.Verdict != "compared" || len(pair.Pairs) != 1 {
		t.Errorf("%+v", pair)
	}
	ask("compare", map[string]any{"a": "codellama-34b-awq-on-a100-80gb", "b": "jaxpmmiy6jlr"}, &pair)
	if pair.Verdict != "refused" || pair.Refused == "" {
		t.Errorf("a card without points is compared: %+v", pair)
	}
	for args, says := range map[string]string{`{"name": "../../README.md"}`: "is named", `{"name": ""}`: "named",
		`{"name": "jaxpmmiy6jlr", "metric": "speed"}`: "no metric"} {
		var m map[string]any
		if err := json.Unmarshal([]byte(args), &m); err != nil {
			t.Fatal(err)
		}
		if text := ask("get_points", m, &got); !strings.Contains(text, says) {
			t.Errorf("%s: %q, want %q", args, text, says)
		}
	}
	if text := ask("compare", map[string]any{"a": "jaxpmmiy6jlr", "b": "jaxpmmiy6jlr", "limits": []string{"ttft<-5%"}},
		&pair); !strings.Contains(text, "only an improvement") {
		t.Errorf("a limit with a slip of the sign: %q", text)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if c := <-code; c != 0 || errs.Len() > 0 {
		t.Errorf("exit status %d, %s", c, &errs)
	}
}

// What is no message is answered with its error, and the session goes on.
func TestMCPMalformed(t *testing.T) {
	in := `{bad
[]

{"a":1}
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
"x"
{"jsonrpc":"2.0","id":2,"method":"ping"}`
	var out, errs bytes.Buffer
	if code := run(t.Context(), strings.NewReader(in), &out, &errs, []string{"-C", "../..", "mcp"}); code != 0 || errs.Len() > 0 {
		t.Errorf("it ends with %d: %s", code, &errs)
	}
	codes, answers := map[int]int{}, map[string]bool{}
	for line := range bytes.Lines(out.Bytes()) {
		var answer struct {
			ID    json.RawMessage
			Error struct{ Code int }
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		codes[answer.Error.Code]++
		answers[string(answer.ID)] = true
	}
	if codes[-32700] != 1 || codes[-32600] != 3 || codes[0] != 2 || !answers["1"] || !answers["2"] || !answers["null"] {
		t.Errorf("answers:\n%s", &out)
	}
}
