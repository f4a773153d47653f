import { createHmac, hash } from 'node:crypto';
import type { Requester } from '@steward/rpc';
import type { Collections } from '../collections.ts';
import type { RoomMemory } from '../model/room-memory.ts';

/** The name that a client gives a request, so that it can repeat it (client-plane.md 2.5). */
export interface Transaction {
  /** Names user, session, path and id together; two requests have one key only if one repeats the other. */
  readonly key: string;
  readonly txnId: string;
  /** See `sessionOf`. */
  readonly session: string;
}

/** The session within which transaction ids count: the device of the token, or the token where it has none. */
export function sessionOf({ userId, deviceId, tokenId }: Requester): string {
  return JSON.stringify(deviceId === undefined ? [userId, null, tokenId] : [userId, deviceId]);
}

/**
 * The transaction of a request.
 *
 * @param path what tells the request from others with the same id: the method, and the path's variables
 */
export function transactionOf(caller: Requester, path: readonly string[], txnId: string): Transaction {
  const session = sessionOf(caller);
  const key = hash('sha256', JSON.stringify([session, path, txnId]), 'base64url');
  return { key, txnId, session };
}

/**
 * The event that a transaction has sent; known as long as the event is kept.
 *
 * A transaction sends exactly one: the key is part of the event, it is searched for between loading the room and
 * committing it, and the commit fails if the room has changed in between.
 */
export async function findSent(
  deps: Pick<Collections, 'events'>,
  { key }: Transaction,
): Promise<string | undefined> {
  const sent = await deps.events.find({ txn: key }, { projection: { arrival: 1 } }).toArray();
  return sent.find(({ arrival }) => arrival !== undefined)?._id;
}

/**
 * As `findSent`, of a transaction that sends into a room.
 *
 * @returns `sent`, or the version of the room, if it is known, at which nothing had been sent
 */
export async function findSentInto(
  deps: Pick<Collections, 'events'> & { readonly memory: RoomMemory },
  roomId: string,
  transaction: Transaction,
): Promise<{ readonly sent: string } | { readonly sent: undefined; readonly unsentAt: number | undefined }> {
  // All that was admitted until this version can be seen now.
  const unsentAt = deps.memory.recall(roomId)?.version;
  const sent = await findSent(deps, transaction);
  return sent === undefined ? { sent, unsentAt } : { sent };
}

/** The id that a shadow-banned user is answered with: always the same for one transaction. */
export function inventEventId(deps: { readonly inventionKey: Buffer }, seed: string): string {
  return `$${createHmac('sha256', deps.inventionKey).update(seed).digest('base64url')}`;
}
