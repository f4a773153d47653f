package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	moderationv1 "example.org/steward-client/gen/steward/moderation/v1"
	roomv1 "example.org/steward-client/gen/steward/room/v1"
	userv1 "example.org/steward-client/gen/steward/user/v1"
)

const (
	// The most entries that the server returns in one page of the audit log.
	maxAuditPage = 1000

	pollInterval = 500 * time.Millisecond
)

// listUsers prints all accounts, page by page.
func listUsers(ctx context.Context, connection *grpc.ClientConn, pageSize int64) error {
	accounts := userv1.NewAccountServiceClient(connection)
	deactivated := true
	filter := &userv1.AccountFilter{Deactivated: &deactivated, Locked: true, Limit: &pageSize}
	request := &userv1.ListUsersRequest{Filter: filter}
	for {
		page, err := read(ctx, accounts.ListUsers, request)
		if err != nil {
			return err
		}
		for _, user := range page.Users {
			show(user)
		}
		if page.NextToken == nil {
			return nil
		}
		from, err := strconv.ParseInt(*page.NextToken, 10, 64)
		if err != nil {
			return err
		}
		filter.From = &from
	}
}

// suspend suspends an account, or lifts its suspension.
func suspend(ctx context.Context, connection *grpc.ClientConn, userID string, suspended bool) error {
	conditions := userv1.NewConditionServiceClient(connection)
	response, err := call(ctx, conditions.Suspend, &userv1.SuspendRequest{UserId: userID, Suspend: suspended})
	if err == nil {
		show(response)
	}
	return err
}

// deleteRoom starts to delete a room, and prints each status of the deletion until its end.
func deleteRoom(ctx context.Context, connection *grpc.ClientConn, roomID string) error {
	deletions := roomv1.NewRoomDeletionServiceClient(connection)
	// It is not repeated: after Unavailable, ListRoomDeletions tells whether the deletion has started.
	begun, err := call(ctx, deletions.BeginRoomDeletion, &roomv1.BeginRoomDeletionRequest{RoomId: roomID})
	if err != nil {
		return err
	}
	request := &roomv1.GetRoomDeletionRequest{DeleteId: begun.DeleteId}
	shown := ""
	for {
		deletion, err := read(ctx, deletions.GetRoomDeletion, request)
		if err != nil {
			return err
		}
		if deletion.Status != shown {
			show(deletion)
		}
		shown = deletion.Status
		switch shown {
		case "complete":
			return nil
		case "failed":
			return errors.New("the deletion failed")
		}
		if err := sleep(ctx, pollInterval); err != nil {
			return err
		}
	}
}

// readAudit prints the newest entries of the audit log, page by page.
func readAudit(ctx context.Context, connection *grpc.ClientConn, actor string, remaining int64) error {
	log := moderationv1.NewAuditServiceClient(connection)
	request := &moderationv1.ListAuditLogRequest{}
	if actor != "" {
		request.Actor = &actor
	}
	for remaining > 0 {
		request.Limit = proto.Int64(min(remaining, maxAuditPage))
		page, err := read(ctx, log.ListAuditLog, request)
		if err != nil {
			return err
		}
		for _, entry := range page.Entries {
			show(entry)
		}
		remaining -= int64(len(page.Entries))
		if page.NextToken == nil {
			return nil
		}
		request.From = page.NextToken
	}
	return nil
}

// show prints a message as one line of JSON.
func show(message proto.Message) {
	format := protojson.MarshalOptions{UseProtoNames: true, EmitDefaultValues: true}
	fmt.Println(format.Format(message))
}
