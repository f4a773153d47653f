import { hash } from 'node:crypto';
import { refuse } from '@steward/errors';
import type { Rights } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { findRoomVersion, type RoomVersion } from '../protocol/mod.ts';
import type { AppendOptions } from '../queues/append-job.ts';
import type { Transaction } from '../reading/transaction.ts';
import type { RoomView, SendOptions } from '../view/room-view.ts';

/** An order of an administrator to do something in a room, which a member of this server does in their place. */
export interface Order {
  readonly roomId: string;
  /** The name of the caller who orders it, as the audit log has it: a user id, `token:<id>` or `client:<name>`. */
  readonly actor: string;
  /** The rights of the caller, who needs authority over the account that the order is against, see `requireAuthority`. */
  readonly rights: Rights;
  /** Identifies the order, so that it can be carried out again and has its effect once; absent where it is never repeated. */
  readonly orderId?: string | undefined;
}

/** What an order has led to. */
export interface Ordered {
  /** The event that was sent, or the one that had that effect already. */
  readonly eventId: string;
  /** In whose name. */
  readonly sender: string;
  /** Whether the order sent the event, now or when it was carried out before. */
  readonly changed: boolean;
}

/** The options with which an order sends its event. */
export interface OrderSendOptions extends SendOptions {
  readonly orderedBy: string;
}

/**
 * The options with which an order sends its event.
 *
 * @param target distinguishes the targets of one order in one room
 */
export function sendOptionsOf(
  { roomId, actor, orderId }: Pick<Order, 'roomId' | 'actor' | 'orderId'>,
  target: string,
): OrderSendOptions {
  const transaction = orderId === undefined ? {} : { transaction: transactionOf(orderId, roomId, target) };
  return { orderedBy: actor, ...transaction };
}

/** Shown to no session, because the caller is not the sender of the event. */
function transactionOf(orderId: string, roomId: string, target: string): Transaction {
  const key = hash('sha256', JSON.stringify(['order', orderId, roomId, target]), 'base64url');
  return { key, txnId: '', session: '' };
}

/** What the order did when it was carried out before; undefined if it has sent nothing yet. */
export async function carriedOut(
  deps: Pick<Deps, 'events'>,
  view: RoomView,
  { transaction }: SendOptions,
): Promise<Ordered | undefined> {
  const eventId = transaction && (await view.sentBy(transaction));
  return eventId === undefined ? undefined : describe(deps, view, eventId, true);
}

/** An order whose event exists. */
export async function describe(
  { events }: Pick<Deps, 'events'>,
  view: RoomView,
  eventId: string,
  changed: boolean,
): Promise<Ordered> {
  const added = view.admitted.find(({ event }) => event.eventId === eventId)?.document;
  const document = added ?? (await events.findOne({ _id: eventId }, { projection: { sender: 1 } }));
  return { eventId, sender: document?.sender ?? '', changed };
}

/** The options of the change that carries an order out. An unknown room is refused with 404. */
export function appendOptionsOf(options: AppendOptions): AppendOptions {
  return { ...options, missing: () => refuse.notFound('Room not found') };
}

/** @throws refuse.unknown for a room of an unknown version */
export function versionOf(view: RoomView): RoomVersion {
  const version = findRoomVersion(view.room.room_version);
  if (!version) throw refuse.unknown('This server does not support the version of the room');
  return version;
}
