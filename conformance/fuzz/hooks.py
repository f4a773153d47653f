"""What the fuzzer does to each request before it is sent; see ../fuzz.test.ts.

Random ids find nothing but refusals, so most ids of a request are replaced by some that exist; which ones, the
request itself decides, so that a seed gives the same requests again. What would end the session of the fuzzer is
sent with the token of another user.
"""

import json
import os
import zlib
from urllib.parse import quote, unquote

import schemathesis

# Ids that exist, by the name of the parameter or field they go into: {"user_id": ["@a:test", ...], ...}.
POOL = json.loads(os.environ["FUZZ_POOL"])

# The account that requests are sent by. The fuzzer learns its id from answers, and is not to be rid of it.
OWN_USER_ID = os.environ["FUZZ_OWN_USER_ID"]

# Of a user whose session, devices and account nothing else needs.
EXPENDABLE_TOKEN = os.environ["FUZZ_EXPENDABLE_TOKEN"]

# The ends of the client's paths that end sessions or accounts of the one who calls.
ENDING = ("/logout", "/logout/all", "/account/deactivate", "/account/password", "/delete_devices")

# Of this many ids one stays as it was generated.
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


# The longest wait for something to happen that a request may ask for, in milliseconds.
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
