import { refuse, toConnectError, toRefusal } from '@steward/errors';
import type { NewReportOrder } from '@steward/proto/steward/moderation/v1/report_resolution_pb.ts';
import type { Deps } from '../deps.ts';
import type { ReportCase } from '../model/case.ts';
import { ORDER_KINDS, type Order, type OrderDetails, type OrderKind } from './order.ts';

/** The most orders of a resolution. */
const MAX_ORDERS = 20;

/** The orders that an administrator cannot give for their own account. */
const NOT_FOR_ONESELF: ReadonlySet<OrderKind> = new Set(['suspend', 'lock', 'deactivate']);

type Key = Exclude<keyof OrderDetails, 'media'>;

/** The keys of each kind: those that an order must have, stated or from the case, and others. */
const KEYS: Readonly<Record<OrderKind, { readonly needs: readonly Key[]; readonly may?: readonly Key[] }>> = {
  redact_event: { needs: ['room_id', 'event_id'], may: ['reason'] },
  redact_user: { needs: ['user_id'], may: ['reason'] },
  suspend: { needs: ['user_id'] },
  lock: { needs: ['user_id'] },
  deactivate: { needs: ['user_id'], may: ['erase'] },
  quarantine_media: { needs: ['room_id', 'event_id'] },
  quarantine_user_media: { needs: ['user_id'] },
  kick: { needs: ['room_id', 'user_id'], may: ['reason'] },
  ban: { needs: ['room_id', 'user_id'], may: ['reason', 'rooms'] },
  block_room: { needs: ['room_id'] },
  delete_room: {
    needs: ['room_id'],
    may: ['block', 'purge', 'force_purge', 'new_room_user_id', 'room_name', 'message'],
  },
  send_notice: { needs: ['user_id', 'text'] },
};

/**
 * Reads the orders of a request, and completes them from the case and, for media, from the event, which may be redacted before its media
 * are quarantined.
 *
 * @param caller the user id of the administrator
 * @param admit refuses an order to which the caller is not entitled, before anything is looked up for it
 * @throws refuse.invalidParam, refuse.missingParam, which name the order; refuse.unavailable when the media of an event cannot be read
 */
export async function readOrders(
  deps: Pick<Deps, 'orders'>,
  reported: ReportCase,
  orders: readonly NewReportOrder[],
  caller: string,
  admit: (order: Order) => Promise<void>,
): Promise<readonly Order[]> {
  if (orders.length > MAX_ORDERS) throw refuse.invalidParam(`A resolution has at most ${MAX_ORDERS} orders`);
  const read: Order[] = [];
  for (const [index, given] of orders.entries())
    read.push(await named(index, given.kind, () => readOrder(deps, reported, given, caller, admit)));
  return read;
}

/** Does something for an order of a request; a refusal says which order it concerns. */
export async function named<R>(index: number, kind: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.status >= 500) throw error;
    const message = `orders[${index}] (${kind.slice(0, 32)}): ${refusal.message}`;
    throw toConnectError({ ...refusal, message }, error);
  }
}

async function readOrder(
  deps: Pick<Deps, 'orders'>,
  reported: ReportCase,
  given: NewReportOrder,
  caller: string,
  admit: (order: Order) => Promise<void>,
): Promise<Order> {
  const kind = ORDER_KINDS.find((each) => each === given.kind);
  if (!kind) throw refuse.invalidParam('There is no such kind of orders');
  const stated = statedIn(given);
  if (kind === 'quarantine_media' && reported.media_uri !== null && stated.event_id === undefined) {
    await admit({ kind, details: {} });
    return { kind, details: { media: [reported.media_uri] } };
  }
  const details = complete(kind, stated, reported);
  if (NOT_FOR_ONESELF.has(kind) && details.user_id === caller)
    throw refuse.invalidParam('An order does not concern the own account');
  await admit({ kind, details });
  if (kind !== 'quarantine_media') return { kind, details };
  const media = await deps.orders.mediaOf(details.room_id ?? '', details.event_id ?? '');
  if (media.length === 0) throw refuse.invalidParam('The event shows no media');
  return { kind, details: { ...details, media } };
}

/** The keys that an order states. */
function statedIn(given: NewReportOrder): OrderDetails {
  const stated = {
    user_id: given.userId,
    room_id: given.roomId,
    event_id: given.eventId,
    rooms: given.rooms === 'all' ? ('all' as const) : undefined,
    reason: given.reason,
    erase: given.erase,
    block: given.block,
    purge: given.purge,
    force_purge: given.forcePurge,
    new_room_user_id: given.newRoomUserId,
    room_name: given.roomName,
    message: given.message,
    text: given.text,
  } satisfies { readonly [K in Key]: OrderDetails[K] | undefined };
  return Object.fromEntries(
    Object.entries(stated).filter(([, value]) => value !== undefined),
  ) as OrderDetails;
}

function complete(kind: OrderKind, stated: OrderDetails, reported: ReportCase): OrderDetails {
  const { needs, may = [] } = KEYS[kind];
  const known: readonly string[] = [...needs, ...may];
  const strange = Object.keys(stated).find((key) => !known.includes(key));
  if (strange !== undefined) throw refuse.invalidParam(`It has no '${strange}'`);
  // A ban from all rooms has no room of its own.
  const everywhere = kind === 'ban' && stated.rooms === 'all';
  if (everywhere && stated.room_id !== undefined)
    throw refuse.invalidParam("It has either 'room_id' or 'rooms'");
  const details: Record<string, unknown> = { ...stated };
  for (const key of needs.filter((each) => !(everywhere && each === 'room_id'))) {
    const value = stated[key] ?? fromCase(key, stated, reported);
    if (typeof value !== 'string' || value === '') throw refuse.missingParam(`'${key}' is required`);
    details[key] = value;
  }
  return details as OrderDetails;
}

/** What the case has for a key that an order does not state. The event of a case is in its room. */
function fromCase(key: Key, stated: OrderDetails, reported: ReportCase): string | null {
  if (key === 'user_id') return reported.user_id;
  if (key === 'room_id') return reported.room_id;
  return key === 'event_id' && (stated.room_id ?? reported.room_id) === reported.room_id
    ? reported.event_id
    : null;
}
