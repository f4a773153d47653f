import type { Config } from '@steward/config';
import { limitExceeded } from '@steward/errors';
import type { Clock } from '@steward/kernel';
import type { RateLimitOverride, Requester } from '@steward/rpc';
import { LeakyBuckets, type Rate } from './leaky-buckets.ts';

type Settings = Config['rate_limits'];

/** A limit on a key that is no authenticated user: an address, a room, an account named in a login attempt. */
export interface Limit {
  /**
   * Counts `count` actions, 1 unless given.
   *
   * @throws limitExceeded when they are too many now; they are not counted then
   */
  take(key: string, count?: number): void;
  /** Takes back an action that was counted before it turned out that it does not count. */
  giveBack(key: string): void;
  /**
   * Checks whether `count` actions would be too many now, and counts nothing.
   *
   * @throws limitExceeded
   */
  check(key: string, count?: number): void;
}

/** What a limit on users reads of the requester. */
export type Limited = Pick<Requester, 'userId' | 'rateLimit' | 'ownerRateLimit'>;

/**
 * A limit on what a user does. It is off for users whose override says 0 (client-plane.md 9). The limit on
 * messages obeys the override of the acting user, all others obey that of the token's owner.
 */
export interface UserLimit {
  /**
   * Counts `count` actions of the user, 1 unless given.
   *
   * @throws limitExceeded when they are too many now; they are not counted then
   */
  take(user: Limited, count?: number): void;
  /**
   * Checks whether `count` actions of the user would be too many now, and counts nothing.
   *
   * @throws limitExceeded
   */
  check(user: Limited, count?: number): void;
}

/** The limits of client-plane.md 9. */
export interface Limits {
  /** Events sent, membership changes other than joining and leaving, and profile changes. */
  readonly message: UserLimit;
  /** Redactions of others' events by moderators; the limit on messages where they have none of their own. */
  readonly adminRedaction: UserLimit;
  readonly roomCreation: UserLimit;
  readonly joinsLocal: UserLimit;
  /** By room. */
  readonly joinsPerRoom: Limit;
  /** By room. */
  readonly invitesPerRoom: Limit;
  /** By invited user. */
  readonly invitesPerUser: Limit;
  /** Of the inviting user. */
  readonly invitesPerIssuer: UserLimit;
  /** By address. */
  readonly registration: Limit;
  /** By address. */
  readonly registrationTokenValidity: Limit;
  /** Sessions of interactive authentication. */
  readonly challenge: UserLimit;
  /** By address: registrations that are stored, or whose password is hashed. */
  readonly registrationChallenge: Limit;
  /** By address. */
  readonly loginAddress: Limit;
  /** By user id in lower case. */
  readonly loginAccount: Limit;
  /** By user id or third-party id in lower case. */
  readonly loginFailed: Limit;
  readonly reports: UserLimit;
  readonly userDirectory: UserLimit;
  readonly presence: UserLimit;
  /** In bytes. */
  readonly largeBodies: UserLimit;
  /** By user and device. */
  readonly keyRequests: Limit;
}

/**
 * The limits that the settings describe. Counts are kept in memory, for a bounded number of keys, so the limits
 * hold for each instance separately and start at zero with it.
 */
export function createLimits(settings: Settings, clock: Clock): Limits {
  const keyed = (rate: Settings['message']) => createLimit(settings, rate, clock);
  const ofUser = (rate: Settings['message']) => createUserLimit(settings, rate, clock, ownerRate);
  const message = createUserLimit(settings, settings.message, clock, messageRate);
  return {
    message,
    adminRedaction: settings.admin_redaction ? ofUser(settings.admin_redaction) : message,
    roomCreation: ofUser(settings.room_creation),
    joinsLocal: ofUser(settings.joins_local),
    joinsPerRoom: keyed(settings.joins_per_room),
    invitesPerRoom: keyed(settings.invites_per_room),
    invitesPerUser: keyed(settings.invites_per_user),
    invitesPerIssuer: ofUser(settings.invites_per_issuer),
    registration: keyed(settings.registration),
    registrationTokenValidity: keyed(settings.registration_token_validity),
    challenge: ofUser(settings.challenge),
    registrationChallenge: keyed(settings.challenge),
    loginAddress: keyed(settings.login_address),
    loginAccount: keyed(settings.login_account),
    loginFailed: keyed(settings.login_failed),
    reports: ofUser(settings.reports),
    userDirectory: ofUser(settings.user_directory),
    presence: ofUser(settings.presence),
    largeBodies: ofUser(settings.large_bodies),
    keyRequests: keyed(settings.key_requests),
  };
}

/** The rate of a user, given the server's; `undefined` for no limit. */
type RateOf = (user: Limited, rate: Rate) => Rate | undefined;

const ownerRate: RateOf = ({ ownerRateLimit }, rate) => (isUnlimited(ownerRateLimit) ? undefined : rate);

const messageRate: RateOf = ({ rateLimit }, rate) => {
  if (!rateLimit) return rate;
  if (isUnlimited(rateLimit)) return undefined;
  return { perSecond: rateLimit.messagesPerSecond, burst: rateLimit.burstCount };
};

function isUnlimited(override: RateLimitOverride | undefined): boolean {
  return override?.messagesPerSecond === 0;
}

function createUserLimit(
  { enabled }: Settings,
  bucket: Settings['message'],
  clock: Clock,
  rateOf: RateOf,
): UserLimit {
  const buckets = new LeakyBuckets(clock);
  const usual = rateFrom(bucket);
  const apply = (user: Limited, act: (rate: Rate) => number) => {
    const rate = enabled ? rateOf(user, usual) : undefined;
    if (rate) refuseUnless(act(rate));
  };
  return {
    take: (user, count = 1) => apply(user, (rate) => buckets.take(user.userId, rate, count)),
    check: (user, count = 1) => apply(user, (rate) => buckets.waitFor(user.userId, rate, count)),
  };
}

function createLimit({ enabled }: Settings, bucket: Settings['message'], clock: Clock): Limit {
  const buckets = new LeakyBuckets(clock);
  const rate = rateFrom(bucket);
  return {
    take: (key, count = 1) => enabled && refuseUnless(buckets.take(key, rate, count)),
    giveBack: (key) => buckets.giveBack(key, rate, 1),
    check: (key, count = 1) => enabled && refuseUnless(buckets.waitFor(key, rate, count)),
  };
}

function rateFrom({ per_second, burst }: Settings['message']): Rate {
  return { perSecond: per_second, burst };
}

function refuseUnless(waitMs: number): void {
  if (waitMs > 0) throw limitExceeded(waitMs);
}
