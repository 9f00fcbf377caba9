//go:build tools

// Package sanity names the program that is built, so that `go mod tidy` keeps its modules.
package sanity

import _ "github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity"
