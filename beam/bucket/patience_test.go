package bucket

import "time"

func init() { patience = time.Millisecond } // the stores of tests are busy for one request
