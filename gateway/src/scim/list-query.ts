import { parseFilter, type ScimFilter } from './filter.ts';
import { type Projection, readProjection } from './projection.ts';
import { attributeKey, byAttribute, type JsonObject, readString } from './read-json.ts';
import { badRequest } from './scim-error.ts';

/** The largest page, and the one without `count`. */
export const MAX_COUNT = 200;
const DEFAULT_COUNT = 100;

/** By which attributes resources are sorted, and what their list sorts by for them. */
export interface Orders {
  /** The attributes, for the refusal of another one. */
  readonly names: string;
  readonly byKey: ReadonlyMap<string, string>;
}

/** How users are sorted. */
export const USER_ORDERS: Orders = {
  names: 'Users are sorted by userName, displayName, id or meta.created',
  byKey: new Map([
    ['id', 'name'],
    ['username', 'name'],
    ['displayname', 'displayname'],
    ['meta.created', 'creation_ts'],
  ]),
};

/** How groups are sorted. */
export const GROUP_ORDERS: Orders = {
  names: 'Groups are sorted by displayName, id or meta.created',
  byKey: new Map([
    ['id', 'id'],
    ['displayname', 'name'],
    ['meta.created', 'creation_ts'],
  ]),
};

/** The schema of searches with a body. */
const SEARCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

/** What is asked of a list (RFC 7644, 3.4.2). */
export interface ListQuery extends Projection {
  readonly filter?: ScimFilter;
  readonly orderBy?: string;
  readonly descending: boolean;
  /** The position of the first result, from 1. */
  readonly startIndex: number;
  readonly count: number;
}

/** @throws ScimError */
export function queryOfParameters(query: URLSearchParams, orders: Orders): ListQuery {
  return readQuery(orders, new Map([...query].map(([name, value]) => [name.toLowerCase(), value])));
}

/** @throws ScimError */
export function queryOfSearch(body: JsonObject, orders: Orders): ListQuery {
  const sent = byAttribute(body);
  const schemas = sent.get('schemas');
  if (!Array.isArray(schemas) || !schemas.includes(SEARCH_SCHEMA))
    throw badRequest('invalidSyntax', `'schemas' must contain ${SEARCH_SCHEMA}`);
  return readQuery(orders, sent);
}

function readQuery(orders: Orders, sent: ReadonlyMap<string, unknown>): ListQuery {
  const filter = sent.get('filter');
  const sortBy = sent.get('sortby');
  const orderBy = isGiven(sortBy) ? orders.byKey.get(attributeKey(readString(sortBy, 'sortBy'))) : undefined;
  if (isGiven(sortBy) && orderBy === undefined) throw badRequest('invalidValue', orders.names);
  return {
    ...readProjection(sent),
    ...(isGiven(filter) ? { filter: parseFilter(readString(filter, 'filter')) } : {}),
    ...(orderBy === undefined ? {} : { orderBy }),
    descending: readOrder(sent.get('sortorder')),
    startIndex: Math.max(1, readInteger(sent.get('startindex'), 'startIndex', 1)),
    count: Math.min(MAX_COUNT, Math.max(0, readInteger(sent.get('count'), 'count', DEFAULT_COUNT))),
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function readOrder(value: unknown): boolean {
  if (!isGiven(value)) return false;
  const order = readString(value, 'sortOrder').toLowerCase();
  if (order === 'ascending' || order === 'descending') return order === 'descending';
  throw badRequest('invalidValue', "'sortOrder' must be ascending or descending");
}

function readInteger(value: unknown, name: string, otherwise: number): number {
  if (!isGiven(value)) return otherwise;
  const read = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (Number.isSafeInteger(read)) return read as number;
  throw badRequest('invalidValue', `'${name}' must be an integer`);
}
