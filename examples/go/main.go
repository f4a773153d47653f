// Command steward-client administers a steward server over gRPC. It prints one JSON object per line.
package main

//go:generate buf generate

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"google.golang.org/grpc"
)

const usage = `usage: steward-client [options] COMMAND

  users [--page-size N]                 lists all accounts (user service)
  suspend [--lift] USER_ID              suspends an account (user service)
  delete-room ROOM_ID                   deletes a room (room service)
  audit [--actor ACTOR] [--limit N]     shows the newest entries of the audit log (moderation service)

options:
`

// command runs with the connection to its service.
type command func(context.Context, *grpc.ClientConn) error

func main() {
	var o options
	flag.StringVar(&o.address, "address", "", "`host:port` of the service that has the command")
	flag.StringVar(&o.credentialFile, "credential-file", "", "`file` with the credential of this client")
	flag.StringVar(&o.ca, "ca", "", "for TLS: `file` with the authority of the services")
	flag.StringVar(&o.certificate, "certificate", "", "for TLS: `file` with the certificate of this client")
	flag.StringVar(&o.key, "key", "", "for TLS: `file` with the key of this client")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	run, port := parseCommand(flag.Args())
	if o.credentialFile == "" {
		fail("--credential-file is required")
	}
	if (o.ca == "") != (o.certificate == "") || (o.ca == "") != (o.key == "") {
		fail("--ca, --certificate and --key belong together")
	}
	if o.address == "" {
		o.address = fmt.Sprintf("127.0.0.1:%d", port)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := connectAndRun(ctx, o, run); err != nil {
		fmt.Fprintln(os.Stderr, describe(err))
		os.Exit(1)
	}
}

func connectAndRun(ctx context.Context, o options, run command) error {
	connection, err := connect(ctx, o)
	if err != nil {
		return err
	}
	defer connection.Close()
	return run(ctx, connection)
}

// parseCommand returns what the command does, and the port of its service in a topology with --base-port 9001.
func parseCommand(arguments []string) (command, int) {
	if len(arguments) == 0 {
		fail("a command is required")
	}
	name, flags := arguments[0], flag.NewFlagSet(arguments[0], flag.ExitOnError)
	pageSize := flags.Int64("page-size", 100, "accounts per page (users)")
	lift := flags.Bool("lift", false, "lifts the suspension (suspend)")
	actor := flags.String("actor", "", "only entries of this user or client (audit)")
	limit := flags.Int64("limit", 100, "how many entries at most (audit)")
	flags.Parse(arguments[1:])
	switch {
	case name == "users" && flags.NArg() == 0:
		return func(ctx context.Context, c *grpc.ClientConn) error { return listUsers(ctx, c, *pageSize) }, 9001
	case name == "suspend" && flags.NArg() == 1:
		return func(ctx context.Context, c *grpc.ClientConn) error { return suspend(ctx, c, flags.Arg(0), !*lift) }, 9001
	case name == "delete-room" && flags.NArg() == 1:
		return func(ctx context.Context, c *grpc.ClientConn) error { return deleteRoom(ctx, c, flags.Arg(0)) }, 9002
	case name == "audit" && flags.NArg() == 0:
		return func(ctx context.Context, c *grpc.ClientConn) error { return readAudit(ctx, c, *actor, *limit) }, 9004
	}
	fail("unknown command or wrong arguments: " + name)
	return nil, 0
}

// fail reports how the command was used wrongly.
func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	flag.Usage()
	os.Exit(2)
}
