import {
  flag,
  furtherFields,
  id,
  jsonText,
  list,
  nullable,
  numbers,
  object,
  ofAggregate,
  optional,
  stillToDo,
  text,
  whole,
} from '@steward/records';
import type {
  Account,
  HeldRateLimit,
  LimitedId,
  ProfileField,
  ProvidedRole,
  SessionEpoch,
} from '../model/account.ts';
import type { Device } from '../model/device.ts';
import type { GroupMembership } from '../model/group.ts';
import type { Passkey } from '../model/passkey.ts';
import type { Role } from '../model/role.ts';
import type { SecondFactor } from '../model/second-factor.ts';
import { fallbackKeys } from './key-kinds.ts';

const limit = () =>
  optional(
    nullable(list(text('The scopes that it gives at most, whatever the account has; null for no limit.'))),
  );

/** The fields of roles that no message has. */
export const furtherOfRole = furtherFields<Role, 'description' | 'scopes'>({
  ...ofAggregate,
  instance: id('Random: automation tokens name the role by it. A new one when left out.'),
  pending: stillToDo(),
});

/** What records of accounts have in fields of the message, and what follows from other fields. */
type OfUser =
  | 'displayname'
  | 'avatar_url'
  | 'password_hash'
  | 'admin'
  | 'roles'
  | 'is_guest'
  | 'deactivated'
  | 'locked'
  | 'shadow_banned'
  | 'user_type'
  | 'creation_ts'
  | 'last_seen_ts'
  | 'bridged'
  | 'threepids'
  | 'external_ids'
  | 'acts_for_server'
  | 'folded_id'
  | 'folded_localpart'
  | 'folded_displayname'
  | 'folded_threepids'
  | 'directory_words'
  | 'facet'
  | 'password_scheme';

/** The fields of accounts that no message has. */
export const furtherOfAccount = furtherFields<Account, OfUser>({
  ...ofAggregate,
  profile_fields: optional(
    list(
      object<ProfileField>('The further fields of its profile.', {
        name: id('The name of the field.'),
        value: jsonText('Its value.'),
      }),
    ),
  ),
  suspended: flag('Whether the account is suspended.'),
  erased: flag('Whether the account was erased when it was deactivated.'),
  awaits_approval: optional(flag('Whether an administrator has still to approve it.')),
  expiration_ts: optional(nullable(whole('Until when it may be used; null for ever.'))),
  appservice_id: nullable(text('The application service that it belongs to; null for none.')),
  consent_version: nullable(text('The version of the terms that its user has accepted; null for none.')),
  consent_ts: nullable(whole('When that was; null for never.')),
  consent_server_notice_sent: nullable(
    text('The version of the terms that a notice was sent about; null for none.'),
  ),
  rate_limit: optional(
    nullable(
      object<HeldRateLimit>('Its own limit on what it sends; null when that of the server applies.', {
        messages_per_second: whole('Actions a second in the long run; 0 for no limit.'),
        burst_count: whole('Actions in a burst.'),
      }),
    ),
  ),
  quotas: optional(numbers('Its own quotas, by kind.')),
  experimental_features: optional(list(text('The experimental features that it has.'))),
  password_limit: limit(),
  limited_ids: optional(
    list(
      object<LimitedId>(
        'The external ids and addresses that limit the rights of sessions that begin with them.',
        {
          key: text('The provider and the external id as a JSON array, or the medium and the address.'),
          limit: list(text('A scope that such a session can have.')),
        },
      ),
    ),
  ),
  second_factor: optional(
    nullable(
      object<SecondFactor>('Its second factor, or the enrolment of one; null for none.', {
        secret: text('The secret that it shares with the app, in base32, or encrypted.'),
        created_ts: whole('When the enrolment began.'),
        confirmed_ts: nullable(whole('When a first code completed it; null before.')),
        last_step: whole('The latest time step whose code was used; -1 before the first.'),
        recovery_codes: list(text('The SHA-256 of the unused recovery codes, in URL-safe base64.')),
        failures: whole('Wrong codes that count at `failed_ts`.'),
        failed_ts: whole('When the last wrong code was tried.'),
        rights_limit: limit(),
      }),
    ),
  ),
  passkeys: optional(
    list(
      object<Passkey>('A passkey.', {
        id: id('What names it to clients.'),
        credential: id('The id of the credential, in URL-safe base64.'),
        public_key: text('The public key (COSE), in URL-safe base64.'),
        counter: whole('How often its authenticator says it was used; 0 if it does not count.'),
        name: text('The name that its user gave it.'),
        created_ts: whole('When it was added.'),
        used_ts: nullable(whole('When it was last used; null if it was not.')),
        rights_limit: limit(),
      }),
    ),
  ),
  factor_required_ts: optional(
    nullable(whole('When a second factor was first required of it at a sign-in, and was missing.')),
  ),
  sessions: object<SessionEpoch>('Which sessions are alive: those of the epoch or a later one.', {
    epoch: whole('The session epoch: 0 at first, and one more each time all sessions are ended.'),
    except: nullable(id('The digest of the token that the last end has spared; null for none.')),
  }),
  cross_signing_replacement_until_ms: optional(
    nullable(
      whole('Until when cross-signing keys may be replaced without further authentication; null for never.'),
    ),
  ),
  key_backup_version: optional(whole('The version of the newest key backup, deleted ones included.')),
  provided_roles: optional(
    list(
      object<ProvidedRole>('A role that an identity provider or a group gave.', {
        provider: id('The id of the provider, or `group:` and the id of the group.'),
        role: text('The role, as in `roles`; `admin` for a server administrator.'),
      }),
    ),
  ),
  groups: optional(
    list(
      object<GroupMembership>('A group in which it is.', {
        id: id('The id of the group.'),
        by: list(text('Who says so: `hand`, `scim`, or `oidc:` and the id of an identity provider.')),
        gave: optional(list(text('The roles that the group has given it, as in `roles`.'))),
      }),
    ),
  ),
  admin_term: optional(whole('The number of its term with unchanged roles.')),
  rights_term: optional(whole('How often it lost its last role.')),
  emptied_epoch: optional(whole('The session epoch that the last deactivation began.')),
  carried_out: optional(list(text('The last orders of resolutions that were carried out on it.'))),
  pending: stillToDo(),
});

/** What records of devices have in fields of the message. */
type OfDevice =
  | 'user_id'
  | 'device_id'
  | 'display_name'
  | 'last_seen_ip'
  | 'last_seen_user_agent'
  | 'last_seen_ts';

/** The fields of devices that no message has. */
export const furtherOfDevice = furtherFields<Device, OfDevice>({
  epoch: whole(
    'The session epoch of the account, see `users`, in which it last logged in; the current one when left out.',
  ),
  provider_sub: optional(id('The digest of the user at the identity provider with which it logged in.')),
  provider_sid: optional(id('The digest of the session at the identity provider with which it logged in.')),
  dehydrated: optional(
    whole('Of a dehydrated device: the version of `dehydrated_devices` that published it.'),
  ),
  logins: optional(whole('How many logins have reached it: tokens and pushers of earlier ones have ended.')),
  key_ring: optional(id('Names its one-time keys and its messages: random, and without a space.')),
  keys_version: optional(whole('How often the keys were changed.')),
  device_keys: optional(jsonText('Its identity keys in canonical JSON, without `unsigned`.')),
  cross_signatures: optional(jsonText('The signatures of the other keys of its user over them, by key id.')),
  fallback_keys: optional(fallbackKeys()),
  used_fallback_keys: optional(list(text('The names of the fallback keys that were handed out.'))),
});
