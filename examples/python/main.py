"""Administers a steward server over gRPC. Prints one JSON object per line."""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from connection import Connection, Tls, describe
from steward.moderation.v1 import audit_pb2, audit_pb2_grpc
from steward.room.v1 import room_deletion_pb2, room_deletion_pb2_grpc
from steward.user.v1 import accounts_pb2, accounts_pb2_grpc, conditions_pb2, conditions_pb2_grpc

# The most entries that the server returns in one page of the audit log.
MAX_AUDIT_PAGE = 1000

POLL_S = 0.5


def users(connection: Connection, arguments: argparse.Namespace) -> Iterator[Message]:
    """Yields all accounts, page by page."""
    accounts = accounts_pb2_grpc.AccountServiceStub(connection.channel)
    account_filter = accounts_pb2.AccountFilter(deactivated=True, locked=True, limit=arguments.page_size)
    request = accounts_pb2.ListUsersRequest(filter=account_filter)
    while True:
        page = connection.read(accounts.ListUsers, request)
        yield from page.users
        if not page.HasField("next_token"):
            return
        setattr(request.filter, "from", int(page.next_token))  # a keyword of Python


def suspend(connection: Connection, arguments: argparse.Namespace) -> Iterator[Message]:
    """Suspends an account, or lifts its suspension."""
    conditions = conditions_pb2_grpc.ConditionServiceStub(connection.channel)
    request = conditions_pb2.SuspendRequest(user_id=arguments.user_id, suspend=not arguments.lift)
    yield connection.call(conditions.Suspend, request)


def delete_room(connection: Connection, arguments: argparse.Namespace) -> Iterator[Message]:
    """Starts to delete a room, and yields each status of the deletion until its end."""
    deletions = room_deletion_pb2_grpc.RoomDeletionServiceStub(connection.channel)
    # It is not repeated: after UNAVAILABLE, ListRoomDeletions tells whether the deletion has started.
    begun = connection.call(
        deletions.BeginRoomDeletion, room_deletion_pb2.BeginRoomDeletionRequest(room_id=arguments.room_id)
    )
    request = room_deletion_pb2.GetRoomDeletionRequest(delete_id=begun.delete_id)
    shown = None
    while True:
        deletion = connection.read(deletions.GetRoomDeletion, request)
        if deletion.status != shown:
            yield deletion
        shown = deletion.status
        if shown == "complete":
            return
        if shown == "failed":
            sys.exit(1)
        time.sleep(POLL_S)


def audit(connection: Connection, arguments: argparse.Namespace) -> Iterator[Message]:
    """Yields the newest entries of the audit log, page by page."""
    log = audit_pb2_grpc.AuditServiceStub(connection.channel)
    request = audit_pb2.ListAuditLogRequest(actor=arguments.actor)
    remaining = arguments.limit
    while remaining > 0:
        request.limit = min(remaining, MAX_AUDIT_PAGE)
        page = connection.read(log.ListAuditLog, request)
        yield from page.entries
        remaining -= len(page.entries)
        if not page.HasField("next_token"):
            return
        setattr(request.filter, "from", page.next_token)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", help="host:port of the service that has the command")
    parser.add_argument("--credential-file", type=Path, required=True)
    parser.add_argument("--ca", type=Path, help="for TLS: the authority of the services")
    parser.add_argument("--certificate", type=Path, help="for TLS: the certificate of this client")
    parser.add_argument("--key", type=Path, help="for TLS: the key of this client")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    command = commands.add_parser("users", help="lists all accounts (user service)")
    command.add_argument("--page-size", type=int, default=100)
    command.set_defaults(run=users, port=9001)

    command = commands.add_parser("suspend", help="suspends an account (user service)")
    command.add_argument("--lift", action="store_true", help="lifts the suspension")
    command.add_argument("user_id")
    command.set_defaults(run=suspend, port=9001)

    command = commands.add_parser("delete-room", help="deletes a room (room service)")
    command.add_argument("room_id")
    command.set_defaults(run=delete_room, port=9002)

    command = commands.add_parser("audit", help="shows the newest entries of the audit log (moderation service)")
    command.add_argument("--actor", help="only those of this user or client")
    command.add_argument("--limit", type=int, default=100, help="how many entries at most")
    command.set_defaults(run=audit, port=9004)

    arguments = parser.parse_args()
    files = (arguments.ca, arguments.certificate, arguments.key)
    if any(files) and not all(files):
        parser.error("--ca, --certificate and --key belong together")
    arguments.tls = Tls(*files) if all(files) else None
    return arguments


def main() -> int:
    arguments = parse_arguments()
    address = arguments.address or f"127.0.0.1:{arguments.port}"
    try:
        connection = Connection(address, arguments.credential_file, arguments.tls)
        for message in arguments.run(connection, arguments):
            line = MessageToJson(
                message, indent=None, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
            )
            print(line, flush=True)
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    except grpc.RpcError as error:
        print(describe(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
