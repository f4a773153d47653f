import type { ScimFilter } from './filter.ts';
import { canonicalAddress } from './read-user.ts';
import { badRequest } from './scim-error.ts';

/** The most accounts that a filter may name. */
const MAX_NAMED = 20;

/** A key that at most one account has. */
export interface AccountKey {
  readonly kind: 'id' | 'userName' | 'externalId' | 'emails' | 'phoneNumbers';
  readonly value: string;
}

/** What the account list selects by. */
export interface ListedState {
  active?: boolean;
  createdAfter?: bigint;
  createdBefore?: bigint;
  /** The filter matches no account. */
  isEmpty?: boolean;
}

/** How the users that match a filter are found: the accounts with some keys, of which those that match, or a part of the account list. */
export type FilterPlan =
  | { readonly keys: readonly AccountKey[]; readonly state?: undefined }
  | { readonly state: ListedState; readonly keys?: undefined };

/**
 * Plans how a filter is answered by indexes.
 *
 * @throws ScimError for a filter that no index answers
 */
export function planFilter(filter: ScimFilter): FilterPlan {
  const keys = keysOf(filter);
  if (!keys) return { state: stateOf(filter) };
  const different = new Map(keys.map((key) => [`${key.kind} ${key.value}`, key]));
  if (different.size > MAX_NAMED) throw badRequest('tooMany', `A filter may name at most ${MAX_NAMED} users`);
  return { keys: [...different.values()] };
}

/** The keys one of which every account that matches has; undefined if the filter does not determine them. */
function keysOf(filter: ScimFilter): readonly AccountKey[] | undefined {
  switch (filter.op) {
    case 'and': {
      const found = filter.filters.map(keysOf).filter((keys) => keys !== undefined);
      return found.toSorted((a, b) => a.length - b.length)[0];
    }
    case 'or': {
      const found = filter.filters.map(keysOf);
      return found.includes(undefined) ? undefined : found.flatMap((keys) => keys ?? []);
    }
    case '[]':
      return keysOf(withinValue(filter.attrPath, filter.valFilter));
    case 'eq': {
      const { compValue } = filter;
      const kind = KINDS.get(filter.attrPath);
      return kind !== undefined && typeof compValue === 'string'
        ? [{ kind, value: keyValue(kind, compValue) }]
        : undefined;
    }
    default:
      return undefined;
  }
}

const KINDS: ReadonlyMap<string, AccountKey['kind']> = new Map([
  ['id', 'id'],
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['emails.value', 'emails'],
  ['phonenumbers.value', 'phoneNumbers'],
] as const);

function keyValue(kind: AccountKey['kind'], value: string): string {
  return kind === 'emails' || kind === 'phoneNumbers' ? canonicalAddress(kind, value) : value;
}

/** The filter of a value with the whole path of each attribute: it determines the same keys. */
function withinValue(path: string, filter: ScimFilter): ScimFilter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { op: filter.op, filters: filter.filters.map((one) => withinValue(path, one)) };
    case 'not':
      return { op: 'not', filter: withinValue(path, filter.filter) };
    default:
      return { ...filter, attrPath: `${path}.${filter.attrPath}` };
  }
}

function stateOf(filter: ScimFilter): ListedState {
  const state: ListedState = {};
  for (const one of filter.op === 'and' ? filter.filters : [filter]) narrow(state, one);
  return state;
}

function narrow(state: ListedState, filter: ScimFilter): void {
  if (filter.op === 'and') {
    for (const one of filter.filters) narrow(state, one);
    return;
  }
  const active = activeOf(filter);
  if (active !== undefined) {
    if (state.active === !active) state.isEmpty = true;
    state.active = active;
    return;
  }
  if (filter.op === 'pr' && ALWAYS_PRESENT.has(filter.attrPath)) return;
  if ('compValue' in filter && filter.attrPath === 'meta.created') {
    narrowCreation(state, filter.op, Date.parse(String(filter.compValue)));
    return;
  }
  throw badRequest('invalidFilter', UNANSWERED);
}

const ALWAYS_PRESENT: ReadonlySet<string> = new Set([
  'id',
  'username',
  'active',
  'meta.created',
  'schemas',
  'meta',
]);

const UNANSWERED =
  'Users are found by id, userName, externalId, emails or phoneNumbers with eq, alone or together with any other condition; and by active and meta.created';

/** Which value of `active` a filter asks for, if it asks for one. */
function activeOf(filter: ScimFilter): boolean | undefined {
  if (filter.op === 'not') {
    const inner = activeOf(filter.filter);
    return inner === undefined ? undefined : !inner;
  }
  if ((filter.op !== 'eq' && filter.op !== 'ne') || filter.attrPath !== 'active') return undefined;
  const { compValue } = filter;
  const value = typeof compValue === 'string' ? compValue === 'true' : compValue;
  if (typeof value !== 'boolean') throw badRequest('invalidFilter', "'active' is true or false");
  return filter.op === 'eq' ? value : !value;
}

function narrowCreation(state: ListedState, op: string, time: number): void {
  if (!Number.isFinite(time)) throw badRequest('invalidFilter', "'meta.created' is a time");
  const at = BigInt(Math.max(0, time));
  if (op === 'ge' || op === 'eq') state.createdAfter = later(state.createdAfter, at);
  else if (op === 'gt') state.createdAfter = later(state.createdAfter, at + 1n);
  if (op === 'lt') state.createdBefore = earlier(state.createdBefore, at);
  else if (op === 'le' || op === 'eq') state.createdBefore = earlier(state.createdBefore, at + 1n);
  if (!['ge', 'gt', 'lt', 'le', 'eq'].includes(op)) throw badRequest('invalidFilter', UNANSWERED);
}

const later = (a: bigint | undefined, b: bigint) => (a === undefined || b > a ? b : a);
const earlier = (a: bigint | undefined, b: bigint) => (a === undefined || b < a ? b : a);
