import { compareCodePoints, parseContentUri, parseUserId } from '@steward/kernel';
import type { ImportedUser, ImportUsersRequest } from '@steward/proto/steward/user/v1/import_pb.ts';
import {
  type Checked,
  checkBatch,
  checked,
  idsOf,
  insertAggregates,
  isSafeNumber,
  type LoadedBatch,
  loadBatch,
} from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import { claimsOn } from '../core/accounts/threepid-claims.ts';
import type { Deps } from '../core/deps.ts';
import { type Account, newAccount, withDerived } from '../core/model/account.ts';
import { externalIdKey } from '../core/model/external-id.ts';
import { isDots } from '../core/model/is-dots.ts';
import { MAX_ROLES_OF_ACCOUNT } from '../core/model/role.ts';
import { canonicalAddress, threepidKey } from '../core/model/threepid.ts';
import { furtherOfAccount } from '../core/records/further-fields.ts';
import { roleReferences } from '../core/roles/role-references.ts';
import { hasNoCredentials, isReservedName } from '../core/server-accounts/server-account.ts';
import { importedPassword, isArgon2 } from './password-hash.ts';

/**
 * Loads accounts. Not flushed, because closing the store at the end of the import makes everything durable, and an import
 * that a power failure interrupts is repeated.
 */
export async function importUsers(deps: Deps, { users }: ImportUsersRequest): Promise<LoadedBatch> {
  checkBatch(users);
  const { accounts } = deps;
  const references = await roleReferences(deps, new Set(users.flatMap(({ roles }) => roles)));
  return loadBatch<Account>(
    {
      existing: (ids) => idsOf(accounts.find({ _id: { $in: ids } }, { projection: { _id: 1 } })),
      insert: (documents) => insertAggregates(accounts, documents, { ...NOT_FLUSHED, ordered: false }),
    },
    await refuseHeldAddresses(
      deps,
      users.map((user) => toAccount(deps, user, references)),
    ),
  );
}

/** Makes a problem of each account with an address that another one has, which is stored or comes before it. */
async function refuseHeldAddresses(
  deps: Pick<Deps, 'accounts'>,
  records: readonly Checked<Account>[],
): Promise<readonly Checked<Account>[]> {
  const keysOf = (record: Checked<Account>) =>
    'document' in record ? record.document.threepids.map(({ key }) => key) : [];
  const holders = new Map<string, string>();
  for (const { key, userId } of await claimsOn(deps, [...new Set(records.flatMap(keysOf))]))
    holders.set(key, userId);
  return records.map((record) => {
    if (!('document' in record)) return record;
    const { _id } = record.document;
    const keys = keysOf(record);
    if (keys.some((key) => (holders.get(key) ?? _id) !== _id))
      return { problem: 'another record has the same threepids' };
    for (const key of keys) holders.set(key, _id);
    return record;
  });
}

function toAccount(
  deps: Deps,
  user: ImportedUser,
  references: ReadonlyMap<string, string>,
): Checked<Account> {
  const id = parseUserId(user.userId);
  if (!id || id.localpart === '') return { problem: 'user_id is not a user id' };
  if (id.domain !== deps.serverName) return { problem: `user_id does not belong to ${deps.serverName}` };
  const { userTypes } = deps.settings;
  if (user.userType !== undefined && !userTypes.has(user.userType)) {
    return { problem: `user_type must be one of ${[...userTypes].join(', ')}` };
  }
  if (user.avatarUrl && !parseContentUri(user.avatarUrl))
    return { problem: 'avatar_url is not a content URI' };
  const password = storedPassword(deps, user);
  if (typeof password === 'object' && password) return password;
  if (!user.actsForServer && isReservedName(deps, id.localpart)) {
    return { problem: `the server uses the name ${id.localpart} for itself (notices.localpart)` };
  }
  const unknown = user.roles.find((name) => !references.has(name));
  if (unknown !== undefined) return { problem: `there is no role '${unknown}'` };
  const roles = [...new Set(user.roles.map((name) => references.get(name) ?? name))];
  if (roles.length > MAX_ROLES_OF_ACCOUNT)
    return { problem: `an account has at most ${MAX_ROLES_OF_ACCOUNT} roles` };
  if (user.externalIds.some(({ authProvider, externalId }) => isDots(authProvider) || isDots(externalId)))
    return { problem: "auth_provider and external_id must not be '.' or '..'" };
  if (!isSafeNumber(user.createdTs)) return { problem: 'created_ts is not a time' };
  if (user.lastSeenTs !== undefined && !isSafeNumber(user.lastSeenTs))
    return { problem: 'last_seen_ts is not a time' };
  const account = newAccount({
    localpart: id.localpart,
    serverName: deps.serverName,
    now: Number(user.createdTs),
    displayname: user.displayname || null,
    avatar_url: user.avatarUrl || null,
    password_hash: user.deactivated ? null : password,
    admin: user.admin,
    roles: roles.sort(compareCodePoints),
    user_type: user.userType ?? null,
    bridged: deps.settings.isBridged?.(id.localpart) ?? false,
    threepids: heldThreepids(user),
    acts_for_server: user.actsForServer,
    external_ids: user.externalIds.map(({ authProvider, externalId }) => ({
      key: externalIdKey(authProvider, externalId),
      auth_provider: authProvider,
      external_id: externalId,
    })),
  });
  if (user.actsForServer && (user.isGuest || !hasNoCredentials(account))) {
    return { problem: 'an account that acts for the server has no password, address, external id or role' };
  }
  return checked(() =>
    withDerived({
      ...account,
      deactivated: user.deactivated,
      is_guest: user.isGuest,
      locked: user.locked,
      shadow_banned: user.shadowBanned,
      last_seen_ts: user.lastSeenTs === undefined ? null : Number(user.lastSeenTs),
      ...furtherOfAccount.read(user.further),
    }),
  );
}

/** The password of a record in its stored form, null for none, or a problem. */
function storedPassword(
  { settings }: Deps,
  { password, passwordHash }: Pick<ImportedUser, 'password' | 'passwordHash'>,
): string | null | { readonly problem: string } {
  if (password === undefined && passwordHash === undefined) return null;
  const field = password === undefined ? 'password_hash' : 'password';
  if (!settings.passwordsStored)
    return { problem: `${field} must be absent, because passwords.localdb_enabled is off` };
  if (password === undefined)
    return isArgon2(passwordHash ?? '')
      ? (passwordHash ?? null)
      : { problem: 'password_hash is not an Argon2 hash' };
  if (passwordHash !== undefined) return { problem: 'password and password_hash exclude each other' };
  const checked = importedPassword(password, settings.peppers);
  return 'problem' in checked ? checked : checked.stored;
}

/** The addresses of a record in their stored form, without duplicates. */
function heldThreepids({ threepids }: Pick<ImportedUser, 'threepids'>): Account['threepids'] {
  const held = threepids.map(({ medium, address, addedAt, validatedAt }) => {
    const canonical = canonicalAddress(medium, address);
    return {
      key: threepidKey(medium, canonical),
      medium,
      address: canonical,
      claim: 1,
      added_at: Number(addedAt),
      validated_at: Number(validatedAt),
    };
  });
  return [...new Map(held.map((threepid) => [threepid.key, threepid])).values()];
}
