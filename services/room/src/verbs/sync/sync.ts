import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { accountTopic } from '@steward/events';
import {
  type SyncRequest,
  type SyncResponseSchema,
  SyncService,
} from '@steward/proto/steward/room/v1/sync_pb.ts';
import { headers, methodRules, type Requester, requester } from '@steward/rpc';
import { findCursor, keepCursor } from '../../core/cursors/cursors.ts';
import type { Deps } from '../../core/deps.ts';
import { type Cursor, NOTHING } from '../../core/model/cursor.ts';
import { memberTopic, roomTopic } from '../../core/model/topics.ts';
import { matchesRoom } from '../../core/protocol/mod.ts';
import { type Batch, readBatch } from './read-batch.ts';
import type { Viewer } from './read-room.ts';
import { readSyncFilter } from './sync-filter.ts';

/** How long a client may wait, in milliseconds. */
const MAX_WAIT_MS = methodRules(SyncService.method.sync).maxWaitMs;

/**
 * Returns what changed for a client since its token, or everything without one (client-plane.md 10.2). If nothing
 * changed, the request waits; the session is checked again before the response.
 */
export async function sync(deps: Deps, request: SyncRequest, context: HandlerContext) {
  const caller = requester(context);
  if (request.from !== undefined)
    throw refuse.unknown("'from' is not a parameter of this method; did you mean 'since'?");
  const filter = await readSyncFilter(deps, caller, request.filter);
  const viewer: Viewer = { caller, filter, fullState: request.fullState };
  const { since } = request;
  const from = since === undefined ? undefined : await findCursor(deps, caller, since);
  const timeoutMs = Math.min(Number(request.timeout), MAX_WAIT_MS);
  const batch =
    from && timeoutMs > 0 && !request.fullState
      ? await waitForUpdates(deps, viewer, from, timeoutMs, context)
      : await deps.syncSlots.run(caller.userId, () => readBatch(deps, viewer, from ?? NOTHING));
  const isAsBefore = from !== undefined && isSame(from, batch.cursor);
  const nextBatch = isAsBefore && since !== undefined ? since : await keepCursor(deps, caller, batch.cursor);
  return toResponse(batch, nextBatch);
}

async function waitForUpdates(
  deps: Deps,
  viewer: Viewer,
  from: Cursor,
  timeoutMs: number,
  context: HandlerContext,
): Promise<Batch> {
  const deadline = deps.clock.now() + timeoutMs;
  // Listens before the first read, so that no change between reading and waiting is missed.
  const roomIds = new Map(joinedRooms(viewer, from).map((roomId) => [roomTopic(roomId), roomId]));
  const topics = [...topicsOfUser(viewer.caller), ...roomIds.keys()];
  const waiter = deps.waiters.listen(deviceOf(viewer.caller), topics);
  try {
    let cursor = from;
    let only: ReadonlySet<string> | undefined;
    for (;;) {
      const batch = await deps.syncSlots.run(viewer.caller.userId, async () => {
        // Checked before the first read too: a session that ended before the waiter existed did not notify it.
        await requireActiveSession(deps, context);
        return readBatch(deps, viewer, cursor, only);
      });
      if (batch.hasUpdates) return batch;
      const notified = await waiter.wait(deadline - deps.clock.now(), context.signal);
      if (!notified) return batch;
      cursor = batch.cursor;
      only = roomsOf(notified, roomIds);
    }
  } finally {
    waiter.close();
  }
}

/** What long polls are counted by: the device, or the session where there is none. */
function deviceOf({ userId, deviceId, tokenId }: Requester): string {
  return deviceId === undefined ? tokenId : `${userId} ${deviceId}`;
}

/** The topics whose notifications may announce a change for the client, but for those of its rooms. */
function topicsOfUser({ userId, owner }: Requester): readonly string[] {
  return [memberTopic(userId), ...new Set([accountTopic(userId), accountTopic(owner)])];
}

/** The rooms that the client knows as joined and that its filter includes. */
function joinedRooms({ filter }: Viewer, { rooms }: Cursor): readonly string[] {
  return [...rooms].flatMap(([roomId, { membership }]) =>
    membership === 'join' && matchesRoom(filter.room, roomId) ? [roomId] : [],
  );
}

/** The rooms that were notified; `undefined` if another topic was, so that anything may have changed. */
function roomsOf(
  notified: ReadonlySet<string>,
  roomIds: ReadonlyMap<string, string>,
): ReadonlySet<string> | undefined {
  const rooms = new Set<string>();
  for (const topic of notified) {
    const roomId = roomIds.get(topic);
    if (roomId === undefined) return undefined;
    rooms.add(roomId);
  }
  return rooms;
}

/** Refuses a caller whose session has ended, or whose account was locked, since the request began. */
async function requireActiveSession(
  { accountFeeds }: Deps,
  { requestHeader }: HandlerContext,
): Promise<void> {
  const token = requestHeader.get(headers.accessToken);
  if (token !== null) await accountFeeds.requireActiveSession(decodeURIComponent(token));
}

function isSame(a: Cursor, b: Cursor): boolean {
  if (a.delivery?.response !== b.delivery?.response) return false;
  if (a.keys !== b.keys || a.accountData !== b.accountData || a.rooms.size !== b.rooms.size) return false;
  for (const [roomId, { membership, arrival, receipts, typing }] of a.rooms) {
    const other = b.rooms.get(roomId);
    if (other?.membership !== membership || other.arrival !== arrival) return false;
    if (other.receipts !== receipts || other.typing !== typing) return false;
  }
  return true;
}

function toResponse(
  { rooms, accountData, feed, deviceLists: { changed, left }, hasUpdates }: Batch,
  nextBatch: string,
): MessageInitShape<typeof SyncResponseSchema> {
  const hasRooms = Object.values(rooms).some((kind) => Object.keys(kind).length > 0);
  return {
    nextBatch,
    ...(hasUpdates && hasRooms ? { rooms } : {}),
    ...(accountData.length > 0 ? { accountData: { events: [...accountData] } } : {}),
    ...(feed.deviceMessages.length > 0 ? { toDevice: { events: [...feed.deviceMessages] } } : {}),
    ...(changed.length + left.length > 0 ? { deviceLists: { changed: [...changed], left: [...left] } } : {}),
    deviceOneTimeKeysCount: feed.oneTimeKeyCounts,
    deviceUnusedFallbackKeyTypes: [...feed.unusedFallbackAlgorithms],
  };
}
