import { limitExceeded, refuse } from '@steward/errors';
import type { PasskeyAssertion } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import type { SecondFactor } from '../model/second-factor.ts';
import { withoutCode } from './recovery-codes.ts';
import { totpStep } from './totp.ts';

/** What a request contains of a second factor. A code of the app takes precedence. */
export interface SecondFactorProof {
  /** A code of the app: six digits. */
  readonly totp?: string | undefined;
  readonly recoveryCode?: string | undefined;
  /** A passkey. */
  readonly passkey?: PasskeyAssertion | undefined;
}

/** The outcome of an attempt: the second factor to store, if it changes, and the refusal, unless the proof is right. */
export type Attempt =
  | { readonly factor: SecondFactor; readonly refusal?: undefined }
  | { readonly factor?: SecondFactor; readonly refusal: Error };

/** How many wrong codes of the app may be tried at once, and after how long one of them is forgotten. */
const MAX_FAILURES = 10;
const FORGET_MS = 60 * 60_000;

/** Whether a request contains a proof. */
export function hasProof({ totp, recoveryCode, passkey }: SecondFactorProof): boolean {
  return totp !== undefined || recoveryCode !== undefined || passkey !== undefined;
}

/**
 * Tries a proof. The change must be stored in one commit on the condition that the account has not changed: then each
 * code is accepted once and each wrong one counts, on however many instances requests arrive at the same moment.
 *
 * Wrong recovery codes do not count, because they cannot be guessed: who knows the password, and uses up the
 * attempts, does not shut out the owner of the recovery codes.
 *
 * @param secret the secret that is shared with the app; undefined when the stored one cannot be decrypted
 */
export function tryProof(
  factor: SecondFactor,
  secret: string | undefined,
  { totp, recoveryCode = '' }: SecondFactorProof,
  now: number,
): Attempt {
  if (totp === undefined) {
    const rest = withoutCode(factor.recovery_codes, recoveryCode);
    return rest ? { factor: { ...factor, recovery_codes: rest } } : { refusal: wrong() };
  }
  if (secret === undefined) return { refusal: undecided() };
  const failures = Math.max(0, factor.failures - Math.max(0, now - factor.failed_ts) / FORGET_MS);
  const excess = failures + 1 - MAX_FAILURES;
  if (excess > 0) return { refusal: limitExceeded(Math.ceil(excess * FORGET_MS)) };
  const step = totpStep(secret, totp, now);
  if (step === undefined || step <= factor.last_step)
    return { factor: { ...factor, failures: failures + 1, failed_ts: now }, refusal: wrong() };
  return { factor: { ...factor, last_step: step } };
}

/** The same for all wrong codes: how far one is off, or whether it was used, stays unknown. */
function wrong(): Error {
  return refuse.forbidden('The code is wrong, or was used before');
}

function undecided(): Error {
  return refuse.forbidden(
    'The server has no key for the secret of this app: use a recovery code, or tell the operator of the server',
  );
}
