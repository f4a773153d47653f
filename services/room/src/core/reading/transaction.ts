import { createHmac, hash } from 'node:crypto';
import type { Requester } from '@steward/rpc';
import type { Collections } from '../collections.ts';
import type { RoomMemory } from '../model/room-memory.ts';

/** Identifies a request, so that a client can repeat it (client-plane.md 2.5). */
export interface Transaction {
  /** Derived from session, path and id; two requests have the same key only if one repeats the other. */
  readonly key: string;
  readonly txnId: string;
  /** See `sessionOf`. */
  readonly session: string;
}

/** The scope of transaction ids: the device of the access token, or the token itself if it has none. */
export function sessionOf({ userId, deviceId, tokenId }: Requester): string {
  return JSON.stringify(deviceId === undefined ? [userId, null, tokenId] : [userId, deviceId]);
}

/**
 * The transaction of a request.
 *
 * @param path distinguishes requests with the same transaction id: the method, and the variables of the path
 */
export function transactionOf(caller: Requester, path: readonly string[], txnId: string): Transaction {
  const session = sessionOf(caller);
  const key = hash('sha256', JSON.stringify([session, path, txnId]), 'base64url');
  return { key, txnId, session };
}

/**
 * The id of the event that a transaction has sent, if the event is still stored.
 *
 * A transaction sends exactly one event: its key is stored in the event, the query for it runs between loading the room
 * and the commit, and the commit fails if the room has changed in between.
 */
export async function findSent(
  deps: Pick<Collections, 'events'>,
  { key }: Transaction,
): Promise<string | undefined> {
  const sent = await deps.events.find({ txn: key }, { projection: { arrival: 1 } }).toArray();
  return sent.find(({ arrival }) => arrival !== undefined)?._id;
}

/**
 * As `findSent`, for a transaction that sends to a room.
 *
 * @returns `sent`, or, if the room is remembered, its version at which the transaction had sent nothing
 */
export async function findSentInto(
  deps: Pick<Collections, 'events'> & { readonly memory: RoomMemory },
  roomId: string,
  transaction: Transaction,
): Promise<{ readonly sent: string } | { readonly sent: undefined; readonly unsentAt: number | undefined }> {
  // All events that were admitted up to this version are visible.
  const unsentAt = deps.memory.recall(roomId)?.version;
  const sent = await findSent(deps, transaction);
  return sent === undefined ? { sent, unsentAt } : { sent };
}

/** The event id in the response to a shadow-banned user; the same for every repetition of a request. */
export function inventEventId(deps: { readonly inventionKey: Buffer }, seed: string): string {
  return `$${createHmac('sha256', deps.inventionKey).update(seed).digest('base64url')}`;
}
