/** What an issuer says about the user of an access token. */
export interface Verdict {
  /** The id at the issuer. */
  readonly subject: string;
  /** The localpart of the account; undefined if it is not said. */
  readonly localpart: string | undefined;
  readonly displayName: string | undefined;
  /** The device of the session; undefined for none. */
  readonly deviceId: string | undefined;
  /** Whether it has the scope of administrators. */
  readonly admin: boolean;
  /** Milliseconds since the Unix epoch; undefined if it is not said. */
  readonly expiresTs: number | undefined;
}

/** What an answer is read with. */
interface Expected {
  readonly issuer: string;
  readonly admin_scope: string;
  readonly localpart_claim: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The scopes of tokens for the client API: the one of the specification, and the one of its proposal (MSC2967). */
const USER_SCOPES = ['urn:matrix:client:api:*', 'urn:matrix:org.matrix.msc2967.client:api:*'];

/** With what the scopes begin that name the device. */
const DEVICE_SCOPES = ['urn:matrix:client:device:', 'urn:matrix:org.matrix.msc2967.client:device:'];

/** How issuers say that a token is an access token; of a refresh token some say nothing. */
const ACCESS_TOKEN_TYPES = ['bearer', 'access_token'];

/** What a device may be called that a scope names. */
const DEVICE_ID = /^[a-zA-Z0-9._~-]{1,255}$/;

/** As external ids of accounts. */
const MAX_SUBJECT_LENGTH = 512;
const MAX_TEXT_LENGTH = 256;
const DOTS = /^\.{1,2}$/;
const MS_PER_S = 1_000;

/**
 * Reads the answer of an issuer about a token (RFC 7662, 2.2); undefined for what is not a valid access token of a user with a scope of
 * this server.
 */
export function readVerdict(
  answer: Readonly<Record<string, unknown>>,
  { issuer, admin_scope, localpart_claim, now }: Expected,
): Verdict | undefined {
  if (answer.active !== true || !isAccessToken(answer)) return undefined;
  if (answer.iss !== undefined && answer.iss !== issuer) return undefined;
  const { exp, sub: subject } = answer;
  const expiresTs = typeof exp === 'number' ? exp * MS_PER_S : undefined;
  if (expiresTs !== undefined && expiresTs <= now) return undefined;
  if (typeof subject !== 'string' || subject === '' || DOTS.test(subject)) return undefined;
  if (subject.length > MAX_SUBJECT_LENGTH) return undefined;
  const scopes = typeof answer.scope === 'string' ? answer.scope.split(' ') : [];
  const admin = scopes.includes(admin_scope);
  if (!admin && !USER_SCOPES.some((scope) => scopes.includes(scope))) return undefined;
  const devices = devicesIn(scopes);
  const [deviceId] = devices;
  if (devices.size > 1 || (deviceId !== undefined && !DEVICE_ID.test(deviceId))) return undefined;
  const localpart = text(answer, localpart_claim);
  return { subject, localpart, displayName: text(answer, 'name'), deviceId, admin, expiresTs };
}

function isAccessToken({ token_type: type, typ }: Readonly<Record<string, unknown>>): boolean {
  const said = type ?? typ;
  return typeof said === 'string' && ACCESS_TOKEN_TYPES.includes(said.toLowerCase());
}

function devicesIn(scopes: readonly string[]): ReadonlySet<string> {
  return new Set(
    scopes.flatMap((scope) => {
      const prefix = DEVICE_SCOPES.find((begin) => scope.startsWith(begin));
      return prefix === undefined ? [] : [scope.slice(prefix.length)];
    }),
  );
}

function text(answer: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(answer, name) ? answer[name] : undefined;
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH ? value : undefined;
}
