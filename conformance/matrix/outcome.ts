/** What a call says about the rights of its caller: `admitted`, or the refusal as a text. */
export type Outcome = string;

/** The caller is admitted: the answer depends on the request. */
export const ADMITTED = 'admitted';

/** The refusal of a caller without any scope. */
const NO_ADMINISTRATOR = '403 M_FORBIDDEN: You are not a server administrator';

/** The refusal of a token that does not exist, or not any more. */
export const UNKNOWN_TOKEN = '401 M_UNKNOWN_TOKEN: Unknown access token';

/** The refusal of another credential than an access token. */
export const NO_ACCESS_TOKEN = '401 M_UNKNOWN_TOKEN: This requires an access token of an account';

/** The refusal of an administrator session whose user has to prove their identity. */
export const STEP_UP_REQUIRED = '401 STEWARD_STEP_UP_REQUIRED';

/** The refusal of an access token whose account has a second factor, which the token does not prove. */
export const LACKS_SECOND_FACTOR =
  '403 M_FORBIDDEN: Access tokens of accounts with a second factor have no administrative rights: use an administrator session or an automation token';

/** The refusal of a caller without a credential. */
export const MISSING_TOKEN = '401 M_MISSING_TOKEN: Missing access token';

const FIRST_FAULT_STATUS = 500;
/** The statuses of access refusals; almost no call of these tests is refused with one for another reason. */
const ACCESS_STATUSES: ReadonlySet<number> = new Set([401, 403, 405]);

/** Refusals of admitted callers: those who have no account to act as. */
const OF_ADMITTED = /has no account (?:in whose name|that could)|^Only an account can /;

/** The outcome of an answer with this status and error. A failure of the server is an outcome that no test expects. */
export function outcomeOf(status: number, errcode: unknown, error: unknown): Outcome {
  const isPath = errcode === 'M_UNRECOGNIZED';
  if (OF_ADMITTED.test(String(error))) return ADMITTED;
  if (status < FIRST_FAULT_STATUS && !ACCESS_STATUSES.has(status) && !isPath) return ADMITTED;
  const outcome = `${status} ${errcode}`;
  // Its text says which proof is missing.
  return outcome === STEP_UP_REQUIRED ? outcome : `${outcome}: ${error}`;
}

/** The refusal of a caller with other scopes. */
function lacks(scope: string): Outcome {
  return `403 M_FORBIDDEN: This requires the scope ${scope}`;
}

/** The outcome for a caller with these scopes of a call that requires all of some, in the order in which they are checked. */
export function expectedOf(held: readonly string[], required: readonly string[]): Outcome {
  const missing = required.find((scope) => !held.includes(scope));
  if (missing === undefined) return ADMITTED;
  return held.length === 0 ? NO_ADMINISTRATOR : lacks(missing);
}
