import {
  flag,
  id,
  list,
  nullable,
  object,
  ofAggregate,
  oneOf,
  optional,
  type RecordKind,
  recordKind,
  stillToDo,
  text,
  whole,
} from '@steward/records';
import { type AdminSession, adminSessions } from '../model/admin-session.ts';
import { type AutomationToken, automationTokens, type Secret } from '../model/automation-token.ts';
import { type Connection, connections } from '../model/connection.ts';
import { type Group, groups } from '../model/group.ts';
import { type Pusher, pusherId, pushers } from '../model/pusher.ts';
import { type RefreshToken, refreshTokens, type Superseded } from '../model/refresh-token.ts';
import { type HeldUse, type RegistrationToken, registrationTokens } from '../model/registration-token.ts';
import { type SignIn, storedSignIns } from '../model/sign-in.ts';
import { type Token, tokens } from '../model/token.ts';

const DIGEST = 'The SHA-256 of the token, in URL-safe base64.';
const USER = id('The user id.');
const EPOCH = whole(
  'The session epoch of the account in which it was made, see `users`; 0 for an account without one.',
);
const LOGIN = whole('The number of the login on its device, see `logins` of `devices`.');
const limit = optional(
  nullable(list(text('The scopes that it has at most, whatever the account has; null for no limit.'))),
);
const superseded = () =>
  optional(
    object<Superseded>('The tokens that it replaces and that end with its first use.', {
      refresh: id('The digest of the refresh token.'),
      access: id('The digest of the access token.'),
    }),
  );

/** The kinds of records of sessions, and of what belongs to them. */
export const SESSION_KINDS: readonly RecordKind[] = [
  recordKind<Token>({
    name: 'access_tokens',
    about: 'An access token, of which only the digest is stored. Its device is one of `devices`.',
    collection: tokens,
    key: ['digest', DIGEST],
    owner: 'user_id',
    fields: {
      user_id: id('The account it acts as.'),
      owner: id('The account it belongs to; another one when an administrator acts as a user.'),
      device_id: nullable(text('The device; null for tokens without one.')),
      login: optional(LOGIN),
      epoch: EPOCH,
      user_epoch: optional(whole('The session epoch of the account it acts as, unless that is the owner.')),
      admin_term: optional(whole('The term of its owner as an administrator, see `users`; absent for 0.')),
      created_ts: whole('When it was created.'),
      valid_until_ms: nullable(whole('Until when it is valid; null for ever.')),
      supersedes: superseded(),
      proved_ts: optional(whole('When its user last passed user-interactive authentication with it.')),
      rights_limit: limit,
      delegated: optional(
        flag('Whether it is one of the issuer of delegated authentication, which is asked about it.'),
      ),
    },
  }),
  recordKind<RefreshToken>({
    name: 'refresh_tokens',
    about: 'A refresh token, of which only the digest is stored.',
    collection: refreshTokens,
    key: ['digest', DIGEST],
    owner: 'user_id',
    fields: {
      user_id: USER,
      device_id: text('The device.'),
      login: LOGIN,
      epoch: EPOCH,
      created_ts: whole('When it was created.'),
      access: id('The digest of the access token that came with it.'),
      rights_limit: limit,
      seed: optional(text('From what its successors are derived; absent until it was used.')),
      supersedes: superseded(),
    },
  }),
  recordKind<AdminSession>({
    name: 'admin_sessions',
    about: 'A session of the console, of whose secret only the digest is stored.',
    collection: adminSessions,
    key: ['digest', 'The SHA-256 of the secret, in URL-safe base64.'],
    owner: 'user_id',
    fields: {
      id: id('What names it to clients.'),
      user_id: USER,
      epoch: EPOCH,
      created_ts: whole('When it started.'),
      used_ts: whole('When it was last used.'),
      address: text('The address that used it last.'),
      user_agent: text('The program that used it last.'),
      proved_ts: nullable(whole('When its user last proved who they are; null for never.')),
      proved_factor: nullable(whole('The second factor of that proof, by `confirmed_ts`; null for none.')),
      proved_passkey: optional(nullable(id('The passkey of that proof, by its id; null for none.'))),
      rights_limit: limit,
      provider_sub: optional(id('The digest of the user at the identity provider.')),
      provider_sid: optional(id('The digest of the session at the identity provider.')),
      provider: optional(id('The identity provider with which it began; absent for a password.')),
      provider_factor: optional(flag('Whether the sign-in there counts as a second factor.')),
      rights_term: optional(whole('The term of the account in which it started, see `users`; absent for 0.')),
    },
  }),
  recordKind<Connection>({
    name: 'connections',
    about: 'The use of a session from an address, as `whois` lists it. It outlives the session.',
    collection: connections,
    key: ['token_and_address', 'The digest of the token, a space, and the address.'],
    owner: 'user_id',
    fields: {
      user_id: id('The account that the token belongs to.'),
      ip: text('The address.'),
      user_agent: text('The program that used it last.'),
      last_seen: whole('When it was last used, in milliseconds since the Unix epoch.'),
      acting_as: optional(id('The account as which an administrator acted.')),
    },
  }),
  recordKind<SignIn>({
    name: 'sign_ins',
    about: 'The beginning of a session, of the last weeks.',
    collection: storedSignIns,
    key: ['id', 'Random.'],
    owner: 'user_id',
    fields: {
      user_id: USER,
      device_id: text('The device.'),
      ts: whole('When it was.'),
      address: text('The address of the client.'),
      user_agent: text('The program.'),
    },
  }),
  recordKind<Pusher>({
    name: 'pushers',
    about: 'An address at which a client receives push notifications. It belongs to a device.',
    collection: pushers,
    idOf: ({ user_id, app_id, pushkey }) => pusherId(user_id, app_id, pushkey),
    owner: 'user_id',
    fields: {
      user_id: USER,
      app_id: text('The id of the application.'),
      pushkey: text('What identifies the pusher to its application.'),
      kind: text('For example http.'),
      app_display_name: text('The name of the application.'),
      device_display_name: text('The name of the device.'),
      profile_tag: text('May be empty.'),
      lang: text('The language.'),
      data: text('A JSON object, as the client sent it.'),
      device_id: text('The device that set it.'),
      login: LOGIN,
      epoch: EPOCH,
      set_ts: optional(whole('When it was set last, in milliseconds since the Unix epoch.')),
    },
  }),
  recordKind<RegistrationToken>({
    name: 'registration_tokens',
    about: 'A token that admits users to registration.',
    collection: registrationTokens,
    key: ['token', 'Its text.'],
    fields: {
      ...ofAggregate,
      uses_allowed: nullable(whole('How many registrations it admits; null for any number.')),
      completed: whole('How many were completed with it.'),
      expiry_ts: nullable(whole('When it expires; null for never.')),
      held: list(
        object<HeldUse>('Uses that are held for registrations in progress.', {
          holder: text('The registration.'),
          until: whole('Until when, in milliseconds since the Unix epoch.'),
        }),
      ),
      pending: stillToDo(),
    },
  }),
  recordKind<AutomationToken>({
    name: 'automation_tokens',
    about: 'The credential of a program, of whose secrets only the digests are stored.',
    collection: automationTokens,
    key: ['id', '28 hexadecimal digits, of which the first 12 are the time of its creation.'],
    fields: {
      ...ofAggregate,
      name: text('What it is for.'),
      role: optional(
        text(
          'Its role: a name, a colon and the `instance` of the role; a built-in one by name and a colon or `admin`.',
        ),
      ),
      scopes: nullable(list(text('The names of its scopes; null for all.'))),
      created_ts: whole('When it was created.'),
      created_by: text('Who made it.'),
      expires_ts: nullable(whole('When it expires; null for never.')),
      allowed_addresses: list(text('Addresses and ranges from which it is accepted; all when empty.')),
      secrets: list(
        object<Secret>('The present secret, and the previous one if it may still work.', {
          digest: id('The SHA-256 of the secret, in URL-safe base64.'),
          until: nullable(
            whole('Until when it works, in milliseconds since the Unix epoch; null for the current one.'),
          ),
        }),
      ),
      last_used: optional(
        object<{ ts: number; address: string }>('Its last use.', {
          ts: whole('When it was.'),
          address: text('From where.'),
        }),
      ),
      pending: stillToDo(),
    },
  }),
  recordKind<Group>({
    name: 'groups',
    about: 'A group of accounts, and what follows for them. Who is in it, the accounts say.',
    collection: groups,
    key: ['id', '28 hexadecimal digits, of which the first 12 are the time of its creation.'],
    fields: {
      ...ofAggregate,
      name: text('Its name.'),
      name_key: optional(text('The name without differences of case; absent for a group that was deleted.')),
      description: text('What it is for.'),
      external_id: optional(nullable(text('The id at the directory that keeps it.'))),
      roles: list(text('The roles of its members, as in `users`; `admin` for server administrators.')),
      enforced: flag('Whether what it says is kept in force.'),
      hand_edits: oneOf(['restore', 'keep'], 'What happens to a role that was taken by hand from a member.'),
      created_ts: whole('When it was created.'),
      deleted: flag('Whether it was deleted, and its members are being told.'),
      pending: stillToDo(),
    },
  }),
];
