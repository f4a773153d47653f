import { type Random, toBase32 } from '@steward/kernel';
import { TOTP } from 'otpauth';

/** 160 bits, as many as the digest has, which RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** What all authenticator apps support; many ignore other values. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** How many steps the clock of the app may differ, in either direction. */
const WINDOW_STEPS = 1;

const CODE = /^\d{6}$/;

/** A new secret, in base32 in upper case, as apps read it. */
export function newTotpSecret(random: Random): string {
  return toBase32(random.bytes(SECRET_BYTES)).toUpperCase();
}

/** The `otpauth` URI of a secret, which apps read from a QR code. Its label must contain no colon, so it is not a user id. */
export function totpUri(secret: string, localpart: string, serverName: string): string {
  return new TOTP({ ...PARAMETERS, secret, label: localpart, issuer: serverName }).toString();
}

/**
 * The time step whose code was given, at most one step away from the present; undefined for another code. Codes are
 * compared in constant time.
 *
 * @param now milliseconds since the Unix epoch
 */
export function totpStep(secret: string, code: string, now: number): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  if (!CODE.test(token)) return undefined;
  const totp = new TOTP({ ...PARAMETERS, secret });
  const delta = totp.validate({ token, timestamp: now, window: WINDOW_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}
