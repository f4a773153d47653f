import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import type { SessionNames } from '../model/provider-session.ts';
import { ProviderFailure } from './provider-failure.ts';

/** Which sessions a provider ends. */
export interface Logout extends SessionNames {
  /** The id of the token, which counts once. */
  readonly id: string;
  /** When the token expires, in milliseconds since the Unix epoch. */
  readonly expiresTs: number;
}

/** What a logout token is checked against. */
interface Expected {
  /** The set of keys that the provider publishes. */
  readonly keys: unknown;
  readonly issuer: string;
  readonly audience: string;
  /** How far the clocks may differ, in milliseconds. */
  readonly skewMs: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Signatures of keys that only the provider has: the secret of the client is no key, and unsigned tokens do not count. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const MAX_NAME_LENGTH = 512;
const MS_PER_S = 1_000;

/** The longest time for which a token is valid, so that its id is remembered for a limited time. */
const MAX_AGE_S = 600;

/**
 * Reads a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6).
 *
 * @throws ProviderFailure, or an error of the library, for one that does not count
 */
export async function readLogoutToken(
  token: string,
  { keys, issuer, audience, skewMs, now }: Expected,
): Promise<Logout> {
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys as JSONWebKeySet), {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: skewMs / MS_PER_S,
    currentDate: new Date(now),
    maxTokenAge: MAX_AGE_S,
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
  });
  const { typ } = protectedHeader;
  // Other tokens of the provider must not count as logout tokens.
  if (typ !== undefined && !/^(?:application\/)?(?:logout\+jwt|jwt)$/i.test(typ)) throw lying('its type');
  if (payload.nonce !== undefined) throw lying('a nonce');
  const { events } = payload;
  const event = isObject(events) ? events[EVENT] : undefined;
  if (!isObject(event)) throw lying('no event of a logout');
  const sub = nameIn(payload.sub);
  const sid = nameIn(payload.sid);
  const id = nameIn(payload.jti);
  if (id === undefined || (sub === undefined && sid === undefined)) throw lying('no names');
  return { id, sub, sid, expiresTs: ((payload.iat ?? 0) + MAX_AGE_S) * MS_PER_S + skewMs };
}

function nameIn(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > MAX_NAME_LENGTH)
    throw lying('another name');
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lying(what: string): ProviderFailure {
  return new ProviderFailure('lying', `The logout token has ${what}`);
}
