package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

const (
	// How long a call may take. The services refuse deadlines of more than 360 seconds.
	deadline = 30 * time.Second

	// How long the connection may take at first: a wrong address is reported soon.
	connectTimeout = 2 * time.Second

	// How long a call is repeated while a service is unavailable: longer than it takes to start again.
	repeatFor = time.Minute

	// The pause before the first repetition; it doubles with each further one.
	firstPause   = 250 * time.Millisecond
	longestPause = 5 * time.Second

	// A host name stands for all addresses that it has: the calls are distributed over the instances of the service.
	serviceConfig = `{"loadBalancingConfig": [{"round_robin": {}}]}`
)

// options say how a service is reached.
type options struct {
	address        string
	credentialFile string
	// For TLS, in PEM format; all of them or none.
	ca, certificate, key string
}

// connect opens a connection. It fails when no server answers at the address.
func connect(ctx context.Context, o options) (*grpc.ClientConn, error) {
	transport, err := o.transport()
	if err != nil {
		return nil, err
	}
	connection, err := grpc.NewClient(o.address,
		grpc.WithTransportCredentials(transport),
		grpc.WithPerRPCCredentials(credentialFile(o.credentialFile)),
		grpc.WithDefaultServiceConfig(serviceConfig))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	connection.Connect()
	for state := connection.GetState(); state != connectivity.Ready; state = connection.GetState() {
		if !connection.WaitForStateChange(ctx, state) {
			connection.Close()
			return nil, fmt.Errorf("there is no server for gRPC at %s", o.address)
		}
	}
	return connection, nil
}

func (o options) transport() (credentials.TransportCredentials, error) {
	if o.ca == "" {
		return insecure.NewCredentials(), nil
	}
	authority, err := os.ReadFile(o.ca)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(authority) {
		return nil, fmt.Errorf("%s contains no certificate", o.ca)
	}
	return credentials.NewTLS(&tls.Config{
		RootCAs: authorities,
		// Read for each connection, so that a new certificate needs no restart.
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			pair, err := tls.LoadX509KeyPair(o.certificate, o.key)
			return &pair, err
		},
	}), nil
}

// credentialFile sends the credential in a file, which is read for each call, so that a new one needs no restart.
type credentialFile string

func (f credentialFile) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	text, err := os.ReadFile(string(f))
	if err != nil {
		return nil, err
	}
	return map[string]string{"steward-credential": strings.TrimSpace(string(text))}, nil
}

// RequireTransportSecurity is false because services may be served without TLS within a private network.
func (credentialFile) RequireTransportSecurity() bool { return false }

// method is a method of a generated client.
type method[Request, Response any] func(context.Context, *Request, ...grpc.CallOption) (*Response, error)

// call makes a call once. After Unavailable or DeadlineExceeded, a change may have been made or not.
func call[Request, Response any](ctx context.Context, m method[Request, Response], request *Request) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	return m(ctx, request)
}

// read makes a call that changes nothing, and repeats it for a minute while the service is unavailable.
func read[Request, Response any](ctx context.Context, m method[Request, Response], request *Request) (*Response, error) {
	until := time.Now().Add(repeatFor)
	pause := firstPause
	for {
		response, err := call(ctx, m, request)
		if status.Code(err) != codes.Unavailable || time.Now().After(until) {
			return response, err
		}
		fmt.Fprintf(os.Stderr, "%s; the call is repeated\n", describe(err))
		// A random part of the pause, so that many clients do not return at the same moment.
		if err := sleep(ctx, pause/2+rand.N(pause/2)); err != nil {
			return nil, err
		}
		pause = min(2*pause, longestPause)
	}
}

// sleep waits, until ctx is done at most.
func sleep(ctx context.Context, duration time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(duration):
		return nil
	}
}

// describe returns the status code of a failed call, the errcode if steward refused it, and the message.
func describe(err error) string {
	failed, ok := status.FromError(err)
	if !ok {
		return err.Error()
	}
	for _, detail := range failed.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.Domain == "steward" {
			return fmt.Sprintf("%v %s: %s", failed.Code(), info.Reason, failed.Message())
		}
	}
	return fmt.Sprintf("%v: %s", failed.Code(), failed.Message())
}
