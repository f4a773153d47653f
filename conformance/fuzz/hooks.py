"""Changes each request of the fuzzer before it is sent; see ../fuzz.test.ts.

Random ids cause refusals only, so most ids of a request are replaced by existing ones. The request itself determines
which, so that a seed generates the same requests again. A request that would end the session of the fuzzer is sent
with the token of another user.
"""

import json
import os
import zlib
from urllib.parse import quote, unquote

import schemathesis

# Ids that exist, by the name of the parameter or field they go into: {"user_id": ["@a:test", ...], ...}.
POOL = json.loads(os.environ["FUZZ_POOL"])

# The account that sends the requests. The fuzzer learns its id from responses and must not remove it.
OWN_USER_ID = os.environ["FUZZ_OWN_USER_ID"]

# A user whose session, devices and account nothing else needs.
EXPENDABLE_TOKEN = os.environ["FUZZ_EXPENDABLE_TOKEN"]

# The suffixes of client paths that end sessions or the account of the caller.
ENDING = ("/logout", "/logout/all", "/account/deactivate", "/account/password", "/delete_devices")

# One of this many ids stays as generated.
KEPT_OF = 4


def replace_ids(values, salt, encode=str):
    """Replaces, in place, the values of a mapping whose names the pool knows."""
    for name in values if isinstance(values, dict) else ():
        known = POOL.get(name)
        choice = zlib.crc32(f"{salt} {name} {values[name]!r}".encode("utf-8", "surrogatepass"))
        if known and (choice % KEPT_OF != 0 or unquote(str(values[name])) == OWN_USER_ID):
            values[name] = encode(known[choice // KEPT_OF % len(known)])


def with_expendable_token(request):
    request.headers["Authorization"] = f"Bearer {EXPENDABLE_TOKEN}"
    return request


# The longest timeout of a long poll, in milliseconds.
LONGEST_WAIT_MS = 10


@schemathesis.hook
def before_call(context, case, kwargs):
    salt = f"{case.method} {case.path}"
    replace_ids(case.path_parameters, salt, lambda value: quote(value, safe=""))
    replace_ids(case.query, salt)
    replace_ids(case.body, salt)
    if str((case.query or {}).get("timeout", "")).isdigit():
        case.query["timeout"] = str(LONGEST_WAIT_MS)
    if case.path.endswith(ENDING) or (case.method == "DELETE" and "/devices/" in case.path):
        if case.path.startswith("/_proto/client"):
            kwargs["auth"] = with_expendable_token
