"""Generates the stubs, as the package `steward` in this folder, from the protos of steward."""

import sys
import sysconfig
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).resolve().parent

# What the example calls, and what these import. The protos of Google are modules of googleapis-common-protos.
PROTOS = [
    "steward/http/v1/annotations.proto",
    "steward/http/v1/content.proto",
    "steward/moderation/v1/audit.proto",
    "steward/room/v1/room_deletion.proto",
    "steward/user/v1/accounts.proto",
    "steward/user/v1/conditions.proto",
]


def main() -> int:
    """Generates from the protos in the folder that the first argument names, else from those of this repository."""
    protos = sys.argv[1] if len(sys.argv) > 1 else HERE.parents[1] / "proto"
    return protoc.main(
        [
            "protoc",
            f"--proto_path={protos}",
            f"--proto_path={sysconfig.get_path('purelib')}",  # google/api/annotations.proto
            f"--proto_path={Path(protoc.__file__).parent / '_proto'}",  # google/protobuf/*.proto
            f"--python_out={HERE}",
            f"--pyi_out={HERE}",
            f"--grpc_python_out={HERE}",
            *PROTOS,
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
