import type { Deps } from '../../core/deps.ts';
import type { Known } from '../../core/model/cursor.ts';
import { matchesRoom, matchesType } from '../../core/protocol/mod.ts';
import { readReceipts, receiptEvents, receiptPositions } from '../../core/receipts/read-receipts.ts';
import type { Viewer } from './read-room.ts';

const RECEIPT = 'm.receipt';
const TYPING = 'm.typing';

/** Rooms whose receipts are read concurrently. */
const CONCURRENT_ROOMS = 8;

/** The ephemeral events of rooms, by room, as JSON text; and what the client knows of the rooms with them. */
export interface Ephemeral {
  readonly events: ReadonlyMap<string, readonly string[]>;
  readonly known: ReadonlyMap<string, Known>;
  /** The position of the last receipt of each of the joined rooms that have any. */
  readonly positions: ReadonlyMap<string, number>;
}

/** What is read of ephemeral events. */
interface EphemeralRequest {
  /** What the client knew. */
  readonly before: ReadonlyMap<string, Known>;
  /** What it knows with the rest of the response. */
  readonly known: ReadonlyMap<string, Known>;
  /** The only rooms that are read; `undefined` for all. */
  readonly only: ReadonlySet<string> | undefined;
  /** Whether the client receives all of a room. */
  isNew(roomId: string): boolean;
}

/**
 * Reads receipts and who is typing in the rooms that a user has joined (client-plane.md 12), as far as the client does not
 * know them. What ignored users do is left out.
 */
export async function readEphemeral(
  deps: Deps,
  { caller: { userId }, filter }: Viewer,
  { before, known, only, isNew }: EphemeralRequest,
): Promise<Ephemeral> {
  const events = new Map<string, readonly string[]>();
  const next = new Map(known);
  const joined = [...(only ?? known.keys())].filter(
    (roomId) => known.get(roomId)?.membership === 'join' && matchesRoom(filter.room, roomId),
  );
  const positions = await receiptPositions(deps, joined);
  const [sendsReceipts, sendsTyping] = [RECEIPT, TYPING].map((type) => matchesType(filter.ephemeral, type));
  const read = async (roomId: string) => {
    const room = next.get(roomId);
    if (!room) return;
    const { receipts: _, typing: __, ...known } = room;
    const had = isNew(roomId) ? undefined : before.get(roomId);
    const after = had?.membership === 'join' ? (had.receipts ?? 0) : undefined;
    const until = sendsReceipts ? (positions.get(roomId) ?? 0) : 0;
    const typists = sendsTyping ? deps.typing.in(roomId) : [];
    const isRead = until > (after ?? 0);
    const ignored = isRead || typists.length > 0 ? await deps.ignoredUsers.of(userId) : new Set<string>();
    const typing = typists.filter((typist) => !ignored.has(typist));
    const heard = typing.length > 0 ? numberOf(typing.join(' ')) : undefined;
    const typingNow = sendsTyping ? heard : had?.typing;
    const found = isRead ? await readReceipts(deps, roomId, { after, until }) : undefined;
    const texts = found ? [...receiptEvents(found.receipts, userId, ignored)] : [];
    if (typingNow !== had?.typing)
      texts.push(JSON.stringify({ type: TYPING, content: { user_ids: typing } }));
    const receipts = found?.position ?? after;
    next.set(roomId, {
      ...known,
      ...(receipts ? { receipts } : {}),
      ...(typingNow === undefined ? {} : { typing: typingNow }),
    });
    if (texts.length > 0) events.set(roomId, texts);
  };
  const changed = joined.filter((roomId) => {
    if (!matchesRoom(filter.ephemeral, roomId)) return false;
    const { receipts = 0, typing } = before.get(roomId) ?? {};
    return (
      receipts > 0 ||
      typing !== undefined ||
      (positions.get(roomId) ?? 0) > 0 ||
      deps.typing.in(roomId).length > 0
    );
  });
  for (let from = 0; from < changed.length; from += CONCURRENT_ROOMS) {
    await Promise.all(changed.slice(from, from + CONCURRENT_ROOMS).map(read));
  }
  return { events, known: next, positions };
}

/** A number below 2^30 that differs for different texts, but for a rare chance; never 0. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 2) & 0x3fffffff || 1;
}
