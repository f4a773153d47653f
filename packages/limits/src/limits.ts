import type { Config } from '@steward/config';
import { limitExceeded } from '@steward/errors';
import type { Bus } from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { RateLimitOverride, Requester } from '@steward/rpc';
import { CATALOGUE, type Meters, noMeters } from '@steward/telemetry';
import { LeakyBuckets, type Rate } from './leaky-buckets.ts';
import { openSharedBuckets } from './shared-buckets.ts';

type Settings = Config['rate_limits'];
type Bucket = Settings['message'];

/** A limit on a key that is not an authenticated user: an address, a room, an account named in a login attempt. */
export interface Limit {
  /**
   * Counts `count` actions, 1 unless given.
   *
   * @throws limitExceeded when they are too many now; they are not counted then
   */
  take(key: string, count?: number): void;
  /** Takes back `count` actions, 1 unless given, that were counted before it turned out that they do not count. */
  giveBack(key: string, count?: number): void;
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
  readonly joinsPerRoom: Limit;
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
  /** By address: sign-ins with an identity provider that begin. */
  readonly providerSignIn: Limit;
  readonly loginAddress: Limit;
  /** By user id in lower case. */
  readonly loginAccount: Limit;
  /** By user id or third-party id in lower case, also together with a network. */
  readonly loginFailed: Limit;
  /** By user id or third-party id in lower case, from all networks together. */
  readonly consoleFailed: Limit;
  readonly reports: UserLimit;
  readonly userDirectory: UserLimit;
  readonly presence: UserLimit;
  /** Content URIs for later uploads. */
  readonly mediaCreate: UserLimit;
  /** In bytes. */
  readonly largeBodies: UserLimit;
  /** By user and device. */
  readonly keyRequests: Limit;
}

/** The limits of a process, with what they hold. */
export interface OpenLimits extends Limits {
  close(): void;
}

/** What the limits of a service need. */
export interface LimitsOptions {
  /** The service. Its instances share their counts; those of other services do not. */
  readonly service: string;
  readonly config: Pick<Config, 'rate_limits'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly bus: Pick<Bus, 'openBroadcast'>;
  /** Counts refusals; none unless given. */
  readonly meters?: Pick<Meters, 'counter'>;
}

/**
 * Opens the limits that the settings describe. Counts are kept in memory, for a bounded number of keys. With several
 * processes the instances of a service tell each other what they count, over the broker.
 */
export async function openLimits({
  service,
  config,
  clock,
  random,
  bus,
  meters = noMeters,
}: LimitsOptions): Promise<OpenLimits> {
  const settings = config.rate_limits;
  const refusals = meters.counter('steward_limits_refusals_total');
  const refused = (limit: Name) => () => refusals.add({ limit });
  const { openBroadcast } = bus;
  if (!settings.enabled || !openBroadcast)
    return { ...createLimits(settings, () => new LeakyBuckets(clock), refused), close: () => {} };
  const shared = await openSharedBuckets({ service, limits: NAMES, openBroadcast, clock, random });
  return { ...createLimits(settings, (name) => shared.of(name), refused), close: () => shared.close() };
}

/**
 * The names of the limits in metrics and in messages between instances, those of the settings where these have one for each.
 */
const NAMES = CATALOGUE.steward_limits_refusals_total.labels.limit;
type Name = (typeof NAMES)[number];

function createLimits(
  settings: Settings,
  bucketsOf: (name: Name) => LeakyBuckets,
  refused: (name: Name) => () => void,
): Limits {
  const keyed = (name: Name, rate: Bucket) => createLimit(settings, rate, bucketsOf(name), refused(name));
  const ofUser = (name: Name, rate: Bucket, rateOf = ownerRate) =>
    createUserLimit(settings, rate, bucketsOf(name), refused(name), rateOf);
  const message = ofUser('message', settings.message, messageRate);
  return {
    message,
    adminRedaction: settings.admin_redaction ? ofUser('admin_redaction', settings.admin_redaction) : message,
    roomCreation: ofUser('room_creation', settings.room_creation),
    joinsLocal: ofUser('joins_local', settings.joins_local),
    joinsPerRoom: keyed('joins_per_room', settings.joins_per_room),
    invitesPerRoom: keyed('invites_per_room', settings.invites_per_room),
    invitesPerUser: keyed('invites_per_user', settings.invites_per_user),
    invitesPerIssuer: ofUser('invites_per_issuer', settings.invites_per_issuer),
    registration: keyed('registration', settings.registration),
    registrationTokenValidity: keyed('registration_token_validity', settings.registration_token_validity),
    challenge: ofUser('challenge', settings.challenge),
    registrationChallenge: keyed('registration_challenge', settings.challenge),
    providerSignIn: keyed('provider_sign_in', settings.challenge),
    loginAddress: keyed('login_address', settings.login_address),
    loginAccount: keyed('login_account', settings.login_account),
    loginFailed: keyed('login_failed', settings.login_failed),
    consoleFailed: keyed('console_failed', settings.console_failed),
    reports: ofUser('reports', settings.reports),
    userDirectory: ofUser('user_directory', settings.user_directory),
    presence: ofUser('presence', settings.presence),
    mediaCreate: ofUser('media_create', settings.media_create),
    largeBodies: ofUser('large_bodies', settings.large_bodies),
    keyRequests: keyed('key_requests', settings.key_requests),
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
  bucket: Bucket,
  buckets: LeakyBuckets,
  refused: () => void,
  rateOf: RateOf,
): UserLimit {
  const usual = rateFrom(bucket);
  const apply = (user: Limited, act: (rate: Rate) => number) => {
    const rate = enabled ? rateOf(user, usual) : undefined;
    if (rate) refuseUnless(act(rate), refused);
  };
  return {
    take: (user, count = 1) => apply(user, (rate) => buckets.take(user.userId, rate, count)),
    check: (user, count = 1) => apply(user, (rate) => buckets.waitFor(user.userId, rate, count)),
  };
}

function createLimit(
  { enabled }: Settings,
  bucket: Bucket,
  buckets: LeakyBuckets,
  refused: () => void,
): Limit {
  const rate = rateFrom(bucket);
  return {
    take: (key, count = 1) => enabled && refuseUnless(buckets.take(key, rate, count), refused),
    giveBack: (key, count = 1) => buckets.giveBack(key, rate, count),
    check: (key, count = 1) => enabled && refuseUnless(buckets.waitFor(key, rate, count), refused),
  };
}

function rateFrom({ per_second, burst }: Bucket): Rate {
  return { perSecond: per_second, burst };
}

function refuseUnless(waitMs: number, refused: () => void): void {
  if (waitMs <= 0) return;
  refused();
  throw limitExceeded(waitMs);
}
