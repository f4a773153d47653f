import type { Deps } from '../deps.ts';
import { FULLY_READ, type Receipt } from '../model/receipt.ts';
import { receiptAggregate } from './receipt-stream.ts';

/** Rooms that are read with one query. */
const ROOMS_PER_QUERY = 500;

/** The most receipts of a room in a response. */
const MAX_RECEIPTS = 1_000;

type ReadDeps = Parameters<typeof receiptAggregate.load>[0];

/** The position of the last receipt of each of the rooms that have any. */
export async function receiptPositions(
  deps: ReadDeps,
  roomIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const positions = new Map<string, number>();
  for (let from = 0; from < roomIds.length; from += ROOMS_PER_QUERY) {
    const streams = deps.receiptStreams.find(
      { _id: { $in: roomIds.slice(from, from + ROOMS_PER_QUERY) } },
      { projection: { version: 1, pending: 1 } },
    );
    for await (const { _id, version, pending = [] } of streams) {
      // Receipts whose positions are pending must not be missed.
      const applied = pending.length > 0 ? await receiptAggregate.load(deps, _id) : undefined;
      positions.set(_id, applied?.version ?? version);
    }
  }
  return positions;
}

/** Receipts of a room, and the position up to which the client then knows them. */
export interface ReceiptsRead {
  readonly receipts: readonly Receipt[];
  readonly position: number;
}

/**
 * Reads the receipts of a room after a position up to another, of other users and those of `userId`. Without the former the
 * newest ones, as many as a response has.
 */
export async function readReceipts(
  deps: Pick<Deps, 'receipts'>,
  roomId: string,
  { after, until }: { readonly after: number | undefined; readonly until: number },
): Promise<ReceiptsRead> {
  const filter = { room_id: roomId, position: { $gt: after ?? 0, $lte: until } };
  if (after === undefined) {
    const newest = await deps.receipts
      .find(filter, { sort: { position: -1 }, limit: MAX_RECEIPTS })
      .toArray();
    return { receipts: newest.reverse(), position: until };
  }
  const page = await deps.receipts.find(filter, { sort: { position: 1 }, limit: MAX_RECEIPTS }).toArray();
  const last = page.at(-1);
  if (!last || page.length < MAX_RECEIPTS) return { receipts: page, position: until };
  // Others of the last commit may be left; a commit has far fewer than a page.
  const whole = page.filter(({ position }) => position < last.position);
  return { receipts: whole, position: last.position - 1 };
}

/** The `m.receipt` events with some receipts as a user sees them; none where the user sees none. */
export function receiptEvents(
  receipts: readonly Receipt[],
  userId: string,
  ignored: ReadonlySet<string>,
): readonly string[] {
  const contents: Content[] = [];
  for (const { event_id, type, user_id, thread_id, ts } of receipts) {
    if (type === FULLY_READ || ignored.has(user_id)) continue;
    if (type === 'm.read.private' && user_id !== userId) continue;
    const receipt = thread_id === '' ? { ts } : { ts, thread_id };
    // A user may have read up to one event in the room and in a thread.
    let content = contents.find((each) => each.get(event_id)?.get(type)?.has(user_id) !== true);
    if (!content) {
      content = new Map();
      contents.push(content);
    }
    const ofEvent = content.get(event_id) ?? new Map<string, Map<string, object>>();
    const ofType = ofEvent.get(type) ?? new Map<string, object>();
    content.set(event_id, ofEvent.set(type, ofType.set(user_id, receipt)));
  }
  return contents.map((content) => JSON.stringify({ type: 'm.receipt', content: toObject(content) }));
}

/** Receipts by event, type and user. */
type Content = Map<string, Map<string, Map<string, object>>>;

function toObject(content: Content): object {
  return Object.fromEntries(
    [...content].map(([eventId, byType]) => [
      eventId,
      Object.fromEntries([...byType].map(([type, byUser]) => [type, Object.fromEntries(byUser)])),
    ]),
  );
}
