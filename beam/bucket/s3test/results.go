package s3test

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ResultBytes is how long each invented result is: one of vLLM with the latencies of a hundred thousand requests.
const ResultBytes = 1 << 20

// Result is the n-th of the invented results.
func Result(n int) []byte {
	at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n*1013+n*n%577) * time.Second)
	var b strings.Builder
	b.Grow(ResultBytes)
	throughput := 500 + float64(n%7919)*1.31717
	fmt.Fprintf(&b, `{"date":%q,"backend":"vllm","model_id":"org/model-%d","tokenizer_id":"org/model-%d","num_prompts":4096,`+
		`"request_rate":"inf","max_concurrency":%d,"duration":%.6f,"completed":4096,"total_input_tokens":4194304,`+
		`"total_output_tokens":524288,"request_throughput":%.6f,"output_throughput":%.6f,"total_token_throughput":%.6f,"mean_ttft_ms":%.5f,`+
		`"median_ttft_ms":%.5f,"mean_tpot_ms":%.5f,"ttfts":[`,
		at.Format("20060102-150405"), n%16, n%16, 1<<(n%8), 524288/throughput, throughput/128, throughput, throughput*9,
		31+float64(n%4111)/100.7, 30+float64(n%4111)/101.3, 9+float64(n%3001)/1000.9)
	for i := 0; b.Len() < ResultBytes-64; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("0.0" + strconv.Itoa(10000+(i*7919+n)%80000))
	}
	b.WriteString("]}")
	return []byte(b.String() + strings.Repeat("\n", ResultBytes-b.Len()))
}

// Results is a store of invented results that are made when they are read, each in a folder of its own.
func Results(bytes int64) *Server {
	s := &Server{Page: 1000, Size: func(string) int { return ResultBytes }, Make: func(key string) []byte {
		n, err := strconv.Atoi(strings.Split(key, "/")[1])
		if err != nil {
			panic(err)
		}
		return Result(n)
	}}
	for n := range int(bytes / ResultBytes) {
		s.Keys = append(s.Keys, fmt.Sprintf("results/%07d/bench.json", n))
	}
	return s
}
