import type { Passkey } from './passkey.ts';
import type { RightsLimit } from './rights-limit.ts';

/** The second factor of an account: the codes of an authenticator app (RFC 6238), and recovery codes. */
export interface SecondFactor {
  /** The secret that it shares with the app: base32, encrypted where keys are configured, see `SealedSecrets`. */
  secret: string;
  /** When the enrolment began, in milliseconds since the Unix epoch. */
  created_ts: number;
  /** When a first code completed the enrolment, in milliseconds since the Unix epoch; null before. */
  confirmed_ts: number | null;
  /** The latest time step whose code was used: its code and earlier ones are refused; -1 before the first. */
  last_step: number;
  /** The SHA-256 digests of the recovery codes that were not used, in URL-safe base64. */
  recovery_codes: readonly string[];
  /** Wrong codes of the app that count at `failed_ts`; they are forgotten one by one. */
  failures: number;
  /** When the last wrong code was tried, in milliseconds since the Unix epoch. */
  failed_ts: number;
  /** What limits the rights of sessions that begin with it; absent or null for nothing. */
  rights_limit?: RightsLimit;
}

/** How long an enrolment can be completed. */
const ENROLMENT_MS = 10 * 60_000;

/** An account, as far as its second factor is concerned. */
interface Holder {
  readonly second_factor?: SecondFactor | null;
  readonly passkeys?: readonly Pick<Passkey, 'id'>[];
}

/** A second factor whose enrolment is complete. */
export type ConfirmedFactor = SecondFactor & { readonly confirmed_ts: number };

/** The second factor of an account, undefined for none. An enrolment that is not complete is none. */
export function secondFactorOf({ second_factor: factor }: Holder): ConfirmedFactor | undefined {
  return factor && factor.confirmed_ts !== null ? (factor as ConfirmedFactor) : undefined;
}

/** Whether an account has a second factor: an app, or a passkey. */
export function hasSecondFactor(account: Holder): boolean {
  return secondFactorOf(account) !== undefined || (account.passkeys ?? []).length > 0;
}

/** Which second factor a proof of identity included. */
export interface FactorProof {
  /** The app, see `factorName`; null without one. */
  readonly proved_factor: number | null;
  /** The passkey, by its id; absent or null without one. */
  readonly proved_passkey?: string | null;
}

/** The app of an account as administrator sessions name it: its `confirmed_ts`; null for none. */
export function factorName(account: Holder): number | null {
  return secondFactorOf(account)?.confirmed_ts ?? null;
}

/**
 * Whether a proof of the user's identity includes a current second factor of the account, or none is needed. Times are not
 * compared: the enrolment may be confirmed while a proof without a code is checked, and clocks are set back.
 */
export function isFactorProved(
  account: Holder,
  { proved_factor, proved_passkey = null }: FactorProof,
): boolean {
  if (!hasSecondFactor(account)) return true;
  const app = factorName(account);
  if (app !== null && app === proved_factor) return true;
  return (account.passkeys ?? []).some(({ id }) => id === proved_passkey);
}

/** The enrolment of an account that can be completed at a time, undefined for none. */
export function enrolmentOf({ second_factor: factor }: Holder, now: number): SecondFactor | undefined {
  return factor && factor.confirmed_ts === null && now < enrolmentEnd(factor) ? factor : undefined;
}

/** When an enrolment expires, in milliseconds since the Unix epoch. */
export function enrolmentEnd({ created_ts }: Pick<SecondFactor, 'created_ts'>): number {
  return created_ts + ENROLMENT_MS;
}
