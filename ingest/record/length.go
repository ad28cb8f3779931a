package record

import "math"

// The actual lengths of one workload lie this far apart at most: those of the output depend on the load
// where the model may stop by itself.
const inputTolerance, outputTolerance = 0.05, 0.20

// SameLengths reports whether two workloads have lengths of one workload: the nominal ones are equal, and where
// none is recorded the actual ones stand for them, within 5 % for the input and 20 % for the output.
func (w Workload) SameLengths(o Workload) bool {
	return sameLength(w.Nominal.Input, o.Nominal.Input, w.Actual.Input, o.Actual.Input, inputTolerance) &&
		sameLength(w.Nominal.Output, o.Nominal.Output, w.Actual.Output, o.Actual.Output, outputTolerance)
}

func sameLength(nominal, otherNominal, actual, otherActual *float64, tolerance float64) bool {
	switch {
	case nominal != nil && otherNominal != nil:
		return *nominal == *otherNominal
	case nominal != nil || otherNominal != nil:
		return false
	case actual == nil || otherActual == nil:
		return true // a point that completed nothing has no actual length
	}
	return math.Abs(*actual-*otherActual) <= tolerance*max(*actual, *otherActual)
}
