import { refuse } from '@steward/errors';
import { clampToSafe, parseUserId } from '@steward/kernel';
import type { ListMediaRequest } from '@steward/proto/steward/media/v1/inventory_pb.ts';
import type { Filter } from '@steward/store';
import type { Media } from '../model/media.ts';

/** The fields of a request that select media; the list and all orders have the same ones. */
export type RequestedSelector = Omit<
  ListMediaRequest,
  '$typeName' | '$unknown' | 'from' | 'limit' | 'orderBy' | 'dir'
>;

/** Which media the inventory shows, or an order concerns; JSON. All conditions that are present hold. Times are in milliseconds. */
export interface Selector {
  readonly origin?: string;
  readonly userId?: string;
  readonly roomId?: string;
  /** A media type, or its first part followed by a slash and an asterisk. */
  readonly type?: string;
  readonly sizeMin?: number;
  readonly sizeMax?: number;
  readonly createdAfter?: number;
  readonly createdBefore?: number;
  readonly accessedAfter?: number;
  readonly accessedBefore?: number;
  readonly neverAccessed?: boolean;
  readonly quarantined?: boolean;
  readonly protected?: boolean;
  readonly orphaned?: boolean;
}

/** A media type in lower case without parameters, or all subtypes of one. */
const TYPE = /^[a-z0-9!#$&^_.+-]+\/(?:\*|[a-z0-9!#$&^_.+-]+)$/;
const ALL_SUBTYPES = '/*';

/** The form of server names. */
const SERVER_NAME = /^[A-Za-z0-9.:[\]-]+$/;

/**
 * Reads the selector of a request.
 *
 * @throws refuse.invalidParam for a value that nothing can match, or two that contradict each other
 */
export function readSelector(request: RequestedSelector): Selector {
  const { origin, userId, roomId, neverAccessed, quarantined, orphaned } = request;
  const type = request.type?.toLowerCase();
  if (origin !== undefined && !SERVER_NAME.test(origin))
    throw refuse.invalidParam("'origin' is not the name of a server");
  if (userId !== undefined && !parseUserId(userId)) throw refuse.invalidParam("'user_id' is not a user id");
  if (roomId !== undefined && !roomId.startsWith('!'))
    throw refuse.invalidParam("'room_id' is not a room id");
  if (type !== undefined && !TYPE.test(type)) throw refuse.invalidParam("'type' is not a MIME type");
  const isAccessed = request.accessedAfter !== undefined || request.accessedBefore !== undefined;
  if (neverAccessed && isAccessed)
    throw refuse.invalidParam("'never_accessed' excludes 'accessed_after' and 'accessed_before'");
  requireBetween(request.sizeMin, request.sizeMax, "'size_max' must be at least 'size_min'");
  const { createdAfter, createdBefore, accessedAfter, accessedBefore } = request;
  requireBetween(
    createdAfter,
    lastBefore(createdBefore),
    "'created_before' must be later than 'created_after'",
  );
  requireBetween(
    accessedAfter,
    lastBefore(accessedBefore),
    "'accessed_before' must be later than 'accessed_after'",
  );
  return {
    ...given({ origin, userId, roomId, type, neverAccessed, quarantined, orphaned }),
    ...given({ protected: request.protected }),
    ...given({ sizeMin: safe(request.sizeMin), sizeMax: safe(request.sizeMax) }),
    ...given({ createdAfter: safe(request.createdAfter), createdBefore: safe(request.createdBefore) }),
    ...given({ accessedAfter: safe(request.accessedAfter), accessedBefore: safe(request.accessedBefore) }),
  };
}

/** @throws refuse.invalidParam with a message when no number is between two limits, both included */
function requireBetween(least: bigint | undefined, greatest: bigint | undefined, message: string): void {
  if (least !== undefined && greatest !== undefined && least > greatest) throw refuse.invalidParam(message);
}

const lastBefore = (time: bigint | undefined) => (time === undefined ? undefined : time - 1n);

/** Whether a selector has no condition, so that it selects all media. */
export function isEmpty(selector: Selector): boolean {
  return Object.keys(selector).length === 0;
}

/** The filter for the media of a selector, apart from its room. Media that are being deleted match as well. */
export function filterOf(selector: Selector): Filter<Media> {
  const { origin, userId, type, neverAccessed, quarantined, orphaned } = selector;
  return {
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(origin === undefined ? {} : { origin }),
    ...(type === undefined ? {} : typeFilter(type)),
    ...range('length', selector.sizeMin, { $lte: selector.sizeMax }),
    ...range('created_ts', selector.createdAfter, { $lt: selector.createdBefore }),
    ...(neverAccessed ? { last_access_ts: null } : accessedFilter(selector)),
    ...(quarantined === undefined ? {} : { is_quarantined: quarantined || null }),
    ...(selector.protected === undefined ? {} : { is_protected: selector.protected || null }),
    ...(orphaned === undefined ? {} : { shown: !orphaned }),
  };
}

function typeFilter(type: string): Filter<Media> {
  return type.endsWith(ALL_SUBTYPES)
    ? { media_class: type.slice(0, -ALL_SUBTYPES.length) }
    : { media_type: type };
}

function accessedFilter({ neverAccessed, accessedAfter, accessedBefore }: Selector): Filter<Media> {
  // No time is before 0, and null means no time.
  const from = accessedAfter ?? (neverAccessed === false || accessedBefore !== undefined ? 0 : undefined);
  return range('last_access_ts', from, { $lt: accessedBefore });
}

function range(
  field: 'length' | 'created_ts' | 'last_access_ts',
  from: number | undefined,
  to: { readonly $lt?: number | undefined; readonly $lte?: number | undefined },
): Filter<Media> {
  const bounds = { ...given({ $gte: from }), ...given(to) };
  return Object.keys(bounds).length === 0 ? {} : { [field]: bounds };
}

/** The fields of an object that have a value. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function safe(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : clampToSafe(value);
}
