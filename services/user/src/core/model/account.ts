import { formatUserId } from '@steward/kernel';
import { type Aggregate, declareAggregate, type PendingEffect } from '@steward/service';
import type { IndexDeclaration } from '@steward/store';
import { directoryWord, wordsOf } from './directory-words.ts';
import { foldText } from './fold-text.ts';
import type { GroupMembership } from './group.ts';
import type { Passkey } from './passkey.ts';
import { readPasswordHash } from './password-hash.ts';
import type { RightsLimit } from './rights-limit.ts';
import type { SecondFactor } from './second-factor.ts';

/** A confirmed address of an account. */
export interface HeldThreepid {
  /** `<medium> <address>`, by which it is looked up. */
  key: string;
  medium: string;
  /** Canonicalised, see `canonicalAddress`. */
  address: string;
  /** Rises each time an account claims the address; the account with the highest claim owns it. */
  claim: number;
  /** Milliseconds since the Unix epoch. */
  added_at: number;
  /** Milliseconds since the Unix epoch. */
  validated_at: number;
}

/** A name at an external identity provider. */
export interface HeldExternalId {
  /** Provider and id as a JSON array, by which it is looked up; unique over all accounts. */
  key: string;
  auth_provider: string;
  external_id: string;
}

/** A role that an identity provider gave. */
export interface ProvidedRole {
  /** The id of the provider. */
  readonly provider: string;
  /** See `roleReference`; `admin` for the flag. */
  readonly role: string;
}

/** An external id or an address that a caller with fewer rights gave to the account. */
export interface LimitedId {
  /** See `HeldExternalId` and `HeldThreepid`; theirs differ. */
  readonly key: string;
  /** What limits the rights of sessions that begin with it. */
  readonly limit: readonly string[];
}

/**
 * Which sessions of an account are alive: those started in the current epoch or later, and at most one
 * older session, that of the request which ended all others.
 */
export interface SessionEpoch {
  epoch: number;
  /** The digest of the spared token. */
  except: string | null;
}

/** A field of a profile besides display name and avatar. */
export interface ProfileField {
  readonly name: string;
  /** Its value, as JSON text. */
  readonly value: string;
}

/** A limit that overrides the server's. */
export interface HeldRateLimit {
  /** Actions a second in the long run; 0 for no limit. */
  messages_per_second: number;
  /** Actions in a burst. */
  burst_count: number;
}

/** An account. The document is the aggregate: every change of it is one conditional commit. */
export interface Account extends Aggregate {
  /** The user id. */
  _id: string;
  version: number;
  pending?: readonly PendingEffect[];
  /** The id in lower case: searched in, and compared with the names of new accounts. */
  folded_id: string;
  /** The localpart as `foldText` has it, searched in. */
  folded_localpart: string;
  /** The display name as `foldText` has it, searched in; empty when there is none. */
  folded_displayname: string;
  /** The addresses, see `searchedThreepids`; absent or empty for none. */
  folded_threepids?: string;
  /** The words by which the user directory finds the account, see `directoryWord`; empty when it must not find it. */
  directory_words: readonly string[];
  /** All flags in one string, see `facetOf`. */
  facet: string;
  displayname: string | null;
  avatar_url: string | null;
  /** The further fields of its profile, in the order in which they were set; absent for none. */
  profile_fields?: readonly ProfileField[];
  /** See `readPasswordHash`. */
  password_hash: string | null;
  /** The scheme of the hash if it is not Argon2; absent or null otherwise. Counted by it. */
  password_scheme?: string | null;
  /** What limits the rights of sessions that begin with the password, see `RightsLimit`; absent or null for nothing. */
  password_limit?: RightsLimit;
  admin: boolean;
  /** Its roles besides `admin`, sorted, see `roleReference`; absent for none. */
  roles?: readonly string[];
  /** Those of its roles that identity providers and groups gave, see `withProvidedRoles`; absent or empty for none. */
  provided_roles?: readonly ProvidedRole[];
  /** The groups in which it is, by their ids, see `withGroupRoles`; absent or empty for none. */
  groups?: readonly GroupMembership[];
  is_guest: boolean;
  deactivated: boolean;
  erased: boolean;
  locked: boolean;
  shadow_banned: boolean;
  suspended: boolean;
  user_type: string | null;
  /** Whether it cannot be logged in to before an administrator approves it; absent means no. */
  awaits_approval?: boolean;
  /** Milliseconds since the Unix epoch. */
  creation_ts: number;
  /** Milliseconds since the Unix epoch; null when never seen. */
  last_seen_ts: number | null;
  appservice_id: string | null;
  /** Whether its localpart matches a pattern of bridges, see `flagBridges`; absent means no. */
  bridged?: boolean;
  consent_server_notice_sent: string | null;
  consent_version: string | null;
  /** Milliseconds since the Unix epoch. */
  consent_ts: number | null;
  threepids: readonly HeldThreepid[];
  external_ids: readonly HeldExternalId[];
  /** Which of both limit the rights of sessions that begin with them, see `limitIds`; absent or empty for none. */
  limited_ids?: readonly LimitedId[];
  sessions: SessionEpoch;
  /** The account's own limit on what it sends; absent or null when the server's applies. */
  rate_limit?: HeldRateLimit | null;
  /** The account's own quotas, by kind, see `Quotas`; absent, or without a kind, where the server's apply. */
  quotas?: Readonly<Record<string, number>>;
  /** Until when it may be used, in milliseconds since the Unix epoch; absent or null for ever. */
  expiration_ts?: number | null;
  /** The experimental features that it has. */
  experimental_features?: readonly string[];
  /**
   * Until when cross-signing keys may be replaced without further authentication, in milliseconds since
   * the Unix epoch; absent or null when they may not.
   */
  cross_signing_replacement_until_ms?: number | null;
  /** Its second factor, or the enrolment of one; absent or null for none. */
  second_factor?: SecondFactor | null;
  /** Its passkeys, the oldest first; absent or empty for none. */
  passkeys?: readonly Passkey[];
  /**
   * When its first administrator session began at which a second factor was required and missing, in milliseconds since the Unix epoch;
   * absent or null until then.
   */
  factor_required_ts?: number | null;
  /** The version of the newest key backup, deleted ones included; absent until the first one. */
  key_backup_version?: number;
  /**
   * The number of the account's term with unchanged roles. It rises when they change and when the account ceases to be
   * active, so that tokens with which it acts as others end with the term; absent until the first change.
   */
  admin_term?: number;
  /** Rises when the account loses its last role, so that administrator sessions end with it; absent until the first time. */
  rights_term?: number;
  /** The session epoch that the last deactivation began: documents of an earlier epoch are to be removed. */
  emptied_epoch?: number;
  /** Whether it acts for the server, which made it or was given it: no user can log in to it. Absent means no. */
  acts_for_server?: boolean;
  /** The ids of the last orders of resolutions that were carried out on it, the newest last; absent for none. */
  carried_out?: readonly string[];
}

/** What a new account starts with; everything else is unset. */
export interface NewAccount {
  readonly localpart: string;
  readonly serverName: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly displayname?: string | null;
  readonly avatar_url?: string | null;
  readonly password_hash?: string | null;
  readonly password_limit?: RightsLimit;
  readonly admin?: boolean;
  readonly roles?: readonly string[];
  readonly is_guest?: boolean;
  readonly user_type?: string | null;
  readonly awaits_approval?: boolean;
  readonly bridged?: boolean;
  readonly threepids?: readonly HeldThreepid[];
  readonly external_ids?: readonly HeldExternalId[];
  readonly limited_ids?: readonly LimitedId[];
  readonly acts_for_server?: boolean;
}

/** The document of a new account. */
export function newAccount(init: NewAccount): Account {
  return withDerived({
    _id: formatUserId(init.localpart, init.serverName),
    version: 1,
    displayname: init.displayname ?? null,
    avatar_url: init.avatar_url ?? null,
    password_hash: init.password_hash ?? null,
    ...(init.password_limit ? { password_limit: init.password_limit } : {}),
    admin: init.admin ?? false,
    ...(init.roles && init.roles.length > 0 ? { roles: init.roles } : {}),
    is_guest: init.is_guest ?? false,
    deactivated: false,
    erased: false,
    locked: false,
    shadow_banned: false,
    suspended: false,
    user_type: init.user_type ?? null,
    ...(init.awaits_approval ? { awaits_approval: true } : {}),
    ...(init.bridged ? { bridged: true } : {}),
    ...(init.acts_for_server ? { acts_for_server: true } : {}),
    creation_ts: init.now,
    last_seen_ts: null,
    appservice_id: null,
    consent_server_notice_sent: null,
    consent_version: null,
    consent_ts: null,
    threepids: init.threepids ?? [],
    external_ids: init.external_ids ?? [],
    ...(init.limited_ids && init.limited_ids.length > 0 ? { limited_ids: init.limited_ids } : {}),
    sessions: { epoch: 0, except: null },
  });
}

type Derived =
  | 'folded_id'
  | 'folded_localpart'
  | 'folded_displayname'
  | 'directory_words'
  | 'facet'
  | 'password_scheme';

/** Separates the addresses that are searched in; no address that is searched for holds it. */
const ADDRESS_END = '\n';

/** The addresses of an account as one text that is searched in. */
export function searchedThreepids(threepids: readonly Pick<HeldThreepid, 'address'>[]): string {
  return threepids.map(({ address }) => foldText(address)).join(ADDRESS_END);
}

/** A part of an address as it is searched for; undefined when no address can contain it. */
export function searchedAddress(part: string): string | undefined {
  return part.includes(ADDRESS_END) ? undefined : foldText(part);
}

/** The account with the fields that are derived from others; every writer must call this. */
export function withDerived(account: Omit<Account, Derived> & Pick<Account, 'password_scheme'>): Account {
  const searchesAddresses = account.threepids.length > 0 || account.folded_threepids !== undefined;
  return {
    ...account,
    folded_id: account._id.toLowerCase(),
    folded_localpart: foldText(account._id.slice(1, account._id.indexOf(':'))),
    folded_displayname: foldText(account.displayname ?? ''),
    // Most accounts of bridges have no address, and need no field.
    ...(searchesAddresses ? { folded_threepids: searchedThreepids(account.threepids) } : {}),
    directory_words: directoryWordsOf(account),
    facet: facetOf(account),
    ...derivedScheme(account),
  };
}

/** The scheme of a password that another server hashed. Other accounts need no field, unless they had one. */
function derivedScheme(account: Pick<Account, 'password_hash' | 'password_scheme'>) {
  const { scheme } = readPasswordHash(account.password_hash ?? '');
  if (scheme !== 'argon2') return { password_scheme: scheme };
  return account.password_scheme === undefined ? {} : { password_scheme: null };
}

/** Whether users can find the account, locks aside (client-plane.md 7.5). */
export function isInDirectory(account: Pick<Account, 'deactivated' | 'user_type'>): boolean {
  return !account.deactivated && account.user_type !== 'support';
}

function directoryWordsOf(account: Omit<Account, Derived>): readonly string[] {
  if (!isInDirectory(account)) return [];
  const localpart = account._id.slice(1, account._id.indexOf(':'));
  const words = wordsOf(`${localpart} ${account.displayname ?? ''}`);
  return words.map((word) => directoryWord(word, account));
}

/** The flags by which lists are filtered and sorted. */
export type Flags = Pick<
  Account,
  | 'deactivated'
  | 'locked'
  | 'is_guest'
  | 'admin'
  | 'roles'
  | 'shadow_banned'
  | 'suspended'
  | 'user_type'
  | 'awaits_approval'
  | 'erased'
  | 'bridged'
>;

const bit = (flag: boolean) => (flag ? '1' : '0');

/**
 * Flags that few accounts have, and the letters with which their facets begin, in this order. The facets of others are the
 * same as before these flags existed.
 */
const PREFIXES = [
  ['awaits_approval', 'w'],
  ['suspended', 's'],
  ['erased', 'e'],
  ['bridged', 'b'],
] as const;

/** Precedes each role at the end of a facet. Accounts without roles have none. */
const ROLE = '\u0001';

/**
 * All flags in one string. There are few different combinations, so any filter on flags is a short list of
 * facets, any total is a sum over them, and one index by facet serves every combination.
 */
export function facetOf(flags: Flags): string {
  const bits = [flags.deactivated, flags.locked, flags.is_guest, flags.admin, flags.shadow_banned];
  const prefix = PREFIXES.map(([flag, letter]) => (flags[flag] ? letter : '')).join('');
  const roles = (flags.roles ?? []).map((role) => `${ROLE}${role}`).join('');
  return `${prefix}${bits.map(bit).join('')}${flags.user_type ?? ''}${roles}`;
}

/** The flags that a facet stands for. */
export function flagsOf(facet: string): Required<Flags> {
  let at = 0;
  const hasNext = (letter: string) => facet[at] === letter && ++at > 0;
  const [awaits_approval, suspended, erased, bridged] = PREFIXES.map(([, letter]) => hasNext(letter));
  const [rest = '', ...roles] = facet.slice(at).split(ROLE);
  const flag = (index: number) => rest[index] === '1';
  return {
    deactivated: flag(0),
    locked: flag(1),
    is_guest: flag(2),
    admin: flag(3),
    roles,
    shadow_banned: flag(4),
    suspended: suspended ?? false,
    user_type: rest.slice(5) || null,
    awaits_approval: awaits_approval ?? false,
    erased: erased ?? false,
    bridged: bridged ?? false,
  };
}

/** Whether a document predates the last deactivation of its account, and is therefore about to be removed. */
export function isEmptied(
  account: Pick<Account, 'emptied_epoch'>,
  document: { readonly epoch: number },
): boolean {
  return document.epoch < (account.emptied_epoch ?? 0);
}

/** Sort keys with many values; each direction needs an index, because ties ascend in both. */
const WIDE_SORT_KEYS = ['displayname', 'avatar_url', 'creation_ts', 'last_seen_ts'] as const;

/** The time that is a filter, too, behind the keys of an index by the other time: both are then tested in the index. */
const OTHER_TIME = { creation_ts: 'last_seen_ts', last_seen_ts: 'creation_ts' } as const;

const listIndexes = WIDE_SORT_KEYS.flatMap((key): IndexDeclaration<Account>[] => {
  const isTime = key === 'creation_ts' || key === 'last_seen_ts';
  return [
    {
      name: isTime ? `list_${key}_${OTHER_TIME[key]}_f` : `list_${key}_f`,
      keys: [['facet', 1], [key, 1], ['_id', 1], ...(isTime ? ([[OTHER_TIME[key], 1]] as const) : [])],
    },
    {
      name: `list_${key}_b`,
      keys: [
        ['facet', 1],
        [key, -1],
        ['_id', 1],
      ],
    },
  ];
});

/**
 * Accounts, by user id, which every query names except lists and look-ups by address. The unique index prevents
 * sharding, see decision 12.
 */
export const accounts = declareAggregate<Account, 'last_seen_ts'>({
  name: 'user.accounts',
  whileLoading: [],
  shardKey: null,
  arrays: ['threepids', 'external_ids', 'passkeys', 'directory_words', 'roles', 'groups'],
  // A use of a token is not a change of the account: it must not make a commit fail.
  unversioned: ['last_seen_ts'],
  search: ['folded_id', 'folded_localpart', 'folded_displayname', 'folded_threepids'],
  tally: 'facet',
  indexes: [
    {
      name: 'list_name',
      keys: [
        ['facet', 1],
        ['_id', 1],
      ],
    },
    {
      // Filters by time are tested along the list without reading the accounts that they leave out.
      name: 'list_name_times',
      keys: [
        ['_id', 1],
        ['facet', 1],
        ['creation_ts', 1],
        ['last_seen_ts', 1],
      ],
    },
    ...listIndexes,
    { name: 'avatar', keys: [['avatar_url', 1]] },
    { name: 'folded_id', keys: [['folded_id', 1]] },
    { name: 'threepids', keys: [['threepids.key', 1]], sparse: true },
    // The array comes first: FerretDB answers no `$elemMatch` by a later key of an index.
    { name: 'directory', keys: [['directory_words', 1]] },
    { name: 'password_scheme', keys: [['password_scheme', 1]], sparse: true },
    { name: 'roles', keys: [['roles', 1]], sparse: true },
    {
      name: 'groups',
      keys: [
        ['groups.id', 1],
        ['_id', 1],
      ],
      sparse: true,
    },
    { name: 'passkeys', keys: [['passkeys.credential', 1]], unique: true, sparse: true },
    { name: 'external_ids', keys: [['external_ids.key', 1]], unique: true, sparse: true },
  ],
});
