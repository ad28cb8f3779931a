package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// mostJobs is how many jobs GitHub allows of a matrix.
const mostJobs = 256

// publishInSlices is the workflow that publishes a site which four jobs build.
//
//go:embed sliced/.github/workflows/publish.yml
var publishInSlices string

// publishWorkflow is its place in a catalog, in the stead of that of the skeleton.
const publishWorkflow = ".github/workflows/publish.yml"

// slicedWorkflow is the workflow that publishes a site which so many jobs build.
func slicedWorkflow(jobs int) []byte {
	numbers := make([]string, jobs)
	for i := range numbers {
		numbers[i] = strconv.Itoa(i + 1)
	}
	return []byte(strings.NewReplacer("SLICES: 4", fmt.Sprintf("SLICES: %d", jobs),
		"[1, 2, 3, 4]", "["+strings.Join(numbers, ", ")+"]").Replace(publishInSlices))
}
