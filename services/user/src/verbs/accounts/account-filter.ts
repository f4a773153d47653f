import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type { AccountFilter } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Filter } from '@steward/store';
import { holderOfThreepid } from '../../core/accounts/threepid-claims.ts';
import type { Deps } from '../../core/deps.ts';
import { type Account, type Flags, searchedAddress } from '../../core/model/account.ts';
import { externalIdKey } from '../../core/model/external-id.ts';
import { foldText } from '../../core/model/fold-text.ts';
import { ADMIN_ROLE } from '../../core/roles/built-in-roles.ts';
import { roleReferences } from '../../core/roles/role-references.ts';

/** What stands for accounts without a type. */
const NO_TYPE: readonly string[] = ['', 'none'];

/**
 * Whether accounts with some flags pass the filters.
 *
 * @throws refuse.invalidParam when there is no such role, and for guests under delegated authentication
 */
export async function flagFilter(deps: Deps, query: AccountFilter): Promise<(flags: Flags) => boolean> {
  const { delegatedAuthentication, approvalRequired } = deps.settings;
  if (delegatedAuthentication && (query.guests || query.isGuest)) {
    throw refuse.invalidParam('There are no guests under delegated authentication');
  }
  const hasRole = await roleFilter(deps, query.role);
  const withoutGuests = query.guests === false || (delegatedAuthentication && query.guests === undefined);
  const onlyWaiting = approvalRequired && query.approved === false;
  const isLocked = query.isLocked ?? (query.locked ? undefined : false);
  return (flags) => {
    const type = flags.user_type;
    if (withoutGuests && flags.is_guest) return false;
    if (onlyWaiting && !flags.awaits_approval) return false;
    if (query.hideBridges && flags.bridged) return false;
    if (query.notUserType.some((one) => isOfType(type, one))) return false;
    if (query.userType.length > 0 && !query.userType.some((one) => isOfType(type, one))) return false;
    return (
      matchesFlag(flags.locked, isLocked) &&
      matchesFlag(flags.is_guest, query.isGuest) &&
      matchesFlag(flags.admin, query.admins) &&
      matchesFlag(flags.suspended ?? false, query.suspended) &&
      matchesFlag(flags.shadow_banned, query.shadowBanned) &&
      matchesFlag(flags.erased, query.erased) &&
      hasRole(flags)
    );
  };
}

/** Whether a flag has the value that a request asks for, if it asks. */
export const matchesFlag = (flag: boolean, asked: boolean | undefined): boolean =>
  asked === undefined || flag === asked;

function isOfType(type: string | null, asked: string): boolean {
  return type === asked || (type === null && NO_TYPE.includes(asked));
}

async function roleFilter(deps: Deps, name: string | undefined): Promise<(flags: Flags) => boolean> {
  if (name === undefined) return () => true;
  if (name === ADMIN_ROLE) return ({ admin }) => admin;
  const reference = (await roleReferences(deps, [name])).get(name);
  if (reference === undefined) throw refuse.invalidParam(`There is no role '${name}'`);
  return ({ roles }) => roles?.includes(reference) ?? false;
}

/**
 * Filters on fields other than flags; empty if there are none, `undefined` if no account can match. An address and an
 * external id are looked up first, so that the list reads this one account only.
 */
export async function fieldFilters(
  deps: Deps,
  query: AccountFilter,
): Promise<readonly Filter<Account>[] | undefined> {
  const filters: Filter<Account>[] = [];
  for (const id of await ownersAsked(deps, query)) {
    if (id === undefined) return undefined;
    filters.push({ _id: id });
  }
  if (query.neverSeen && (query.lastSeenBefore ?? query.lastSeenAfter) !== undefined) return undefined;
  filters.push(...times(query), ...searches(query));
  const part = searchedAddress(query.threepidContains);
  if (part === undefined) return undefined;
  if (part !== '') filters.push({ $contains: { paths: ['folded_threepids'], term: part } });
  return filters;
}

/** The owners of the address and of the external id that a request names; undefined for one that has none. */
async function ownersAsked(
  deps: Deps,
  { threepid, externalId }: AccountFilter,
): Promise<readonly (string | undefined)[]> {
  const owners: (string | undefined)[] = [];
  if (threepid !== undefined) owners.push(await holderOfThreepid(deps, ...splitAtColon(threepid)));
  if (externalId !== undefined) {
    const key = externalIdKey(...splitAtColon(externalId));
    const owner = await deps.accounts.findOne({ 'external_ids.key': key }, { projection: { facet: 1 } });
    owners.push(owner?._id);
  }
  return owners;
}

function splitAtColon(text: string): [before: string, after: string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function times(query: AccountFilter): readonly Filter<Account>[] {
  const created = range(query.createdAfter, query.createdBefore);
  const seen = query.neverSeen === false ? range(query.lastSeenAfter ?? 0n, query.lastSeenBefore) : undefined;
  const lastSeen = seen ?? range(query.lastSeenAfter, query.lastSeenBefore);
  return [
    ...(created ? [{ creation_ts: created }] : []),
    ...(lastSeen ? [{ last_seen_ts: lastSeen }] : []),
    ...(query.neverSeen ? [{ last_seen_ts: null }] : []),
  ];
}

function range(after: bigint | undefined, before: bigint | undefined) {
  if (after === undefined && before === undefined) return undefined;
  return {
    ...(after === undefined ? {} : { $gte: clampToSafe(after) }),
    ...(before === undefined ? {} : { $lt: clampToSafe(before) }),
  };
}

function searches({ name, userId }: AccountFilter): readonly Filter<Account>[] {
  if (name) {
    return [{ $contains: { paths: ['folded_localpart', 'folded_displayname'], term: foldText(name) } }];
  }
  return userId ? [{ $contains: { paths: ['folded_id'], term: userId.toLowerCase() } }] : [];
}
