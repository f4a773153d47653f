import { type Aggregate, declareAggregate } from '@steward/service';

/** A use of a token, held for a registration in progress. */
export interface HeldUse {
  /** The registration: the id of its session of user-interactive authentication, or of a single request. */
  holder: string;
  /** Until when it is held, in milliseconds since the Unix epoch. */
  until: number;
}

/** A token that admits users to registration. The document is the aggregate, so no use is granted twice. */
export interface RegistrationToken extends Aggregate {
  /** Its text. */
  _id: string;
  version: number;
  /** How many registrations it admits; null for any number. */
  uses_allowed: number | null;
  /** The number of registrations that were completed with it. */
  completed: number;
  /** When it expires, in milliseconds since the Unix epoch; null for never. */
  expiry_ts: number | null;
  /** The held uses; expired ones do not count. */
  held: readonly HeldUse[];
}

/** The uses that are held at a time, in milliseconds since the Unix epoch. */
export function liveUses({ held }: RegistrationToken, now: number): readonly HeldUse[] {
  return held.filter(({ until }) => until >= now);
}

/** Whether the token has expired; not even a held use counts then. */
export function isPast({ expiry_ts: expiry }: Pick<RegistrationToken, 'expiry_ts'>, now: number): boolean {
  return expiry !== null && expiry < now;
}

/** Whether the token admits another registration. */
export function isUsable(token: RegistrationToken, now: number): boolean {
  if (isPast(token, now)) return false;
  return token.uses_allowed === null || token.completed + liveUses(token, now).length < token.uses_allowed;
}

/** Tokens that admit users to registration, by their text. */
export const registrationTokens = declareAggregate<RegistrationToken>({
  name: 'user.registration_tokens',
  shardKey: null,
  indexes: [],
});
