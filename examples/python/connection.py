"""Connects to a service of steward, and calls its methods with a credential and a deadline."""

import random
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

# How long a call may take. The services refuse deadlines of more than 360 seconds.
DEADLINE_S = 30

# How long the connection may take at first: a wrong address is reported soon.
CONNECT_S = 2

# How long a call is repeated while a service is unavailable: longer than it takes to start again.
REPEAT_S = 60

# The pause before the first repetition; it doubles with each further one.
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 5

# A host name stands for all addresses that it has: the calls are distributed over the instances of the service.
CHANNEL_OPTIONS = [("grpc.service_config", '{"loadBalancingConfig": [{"round_robin": {}}]}')]


class Tls(NamedTuple):
    """The files, in PEM format, with which client and service identify each other."""

    ca: Path
    certificate: Path
    key: Path


class Connection:
    """A connection to one service. The credential is read for each call, so that a new one needs no restart."""

    def __init__(self, address: str, credential_file: Path, tls: Tls | None = None) -> None:
        self._credential_file = credential_file
        if tls is None:
            self.channel = grpc.insecure_channel(address, CHANNEL_OPTIONS)
        else:
            credentials = grpc.ssl_channel_credentials(
                root_certificates=tls.ca.read_bytes(),
                private_key=tls.key.read_bytes(),
                certificate_chain=tls.certificate.read_bytes(),
            )
            self.channel = grpc.secure_channel(address, credentials, CHANNEL_OPTIONS)

        try:
            grpc.channel_ready_future(self.channel).result(timeout=CONNECT_S)
        except grpc.FutureTimeoutError:
            self.channel.close()
            raise ConnectionError(f"There is no server for gRPC at {address}") from None

    def call(self, method: Any, request: Any) -> Any:
        """Makes a call once. After UNAVAILABLE or DEADLINE_EXCEEDED, a change may have been made or not."""
        credential = self._credential_file.read_text().strip()
        return method(request, timeout=DEADLINE_S, metadata=[("steward-credential", credential)])

    def read(self, method: Any, request: Any) -> Any:
        """Makes a call that changes nothing, and repeats it for a minute while the service is unavailable."""
        until = time.monotonic() + REPEAT_S
        pause = FIRST_PAUSE_S
        while True:
            try:
                return self.call(method, request)
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.UNAVAILABLE or time.monotonic() > until:
                    raise
                print(f"{describe(error)}; the call is repeated", file=sys.stderr)
            # A random part of the pause, so that many clients do not return at the same moment.
            time.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, LONGEST_PAUSE_S)


def describe(error: grpc.RpcError) -> str:
    """Returns the status code of a failed call, the errcode if steward refused it, and the message."""
    status = rpc_status.from_call(error)
    info = error_details_pb2.ErrorInfo()
    for detail in status.details if status else ():
        if detail.Unpack(info) and info.domain == "steward":
            return f"{error.code().name} {info.reason}: {error.details()}"
    return f"{error.code().name}: {error.details()}"
