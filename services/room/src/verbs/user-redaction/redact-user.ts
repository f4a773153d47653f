import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe, parseUserId } from '@steward/kernel';
import type { Planned } from '@steward/plans';
import type { RedactUserRequest } from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import { callId, hasAccount, raiseDeferred, requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { EVENT_MAX_BYTES } from '../../core/protocol/mod.ts';
import { roomsOf, unredactedOf } from '../../core/user-redaction/unredacted-of.ts';
import {
  DEFAULT_REDACTION_LIMIT,
  REDACT_USER,
  type UserRedactionParams,
} from '../../core/user-redaction/user-redaction.ts';

/** How much of an event is left for its other fields, in bytes. */
const OTHER_FIELDS_BYTES = 8_192;
const MAX_REASON_BYTES = EVENT_MAX_BYTES - OTHER_FIELDS_BYTES;

/** Begins to redact the events of a user, unless a task for the user is running (behaviour.md 13.1). */
export async function redactUser(
  deps: Pick<Deps, 'serverName' | 'tasks'>,
  request: RedactUserRequest,
  context: HandlerContext,
) {
  const { params, id } = await check(deps, request, context);
  if (!params) return { redactId: id };
  const requestedBy = requester(context).owner;
  const task = { id, kind: REDACT_USER, key: request.userId, params, requestedBy };
  return { redactId: await deps.tasks.createOnce(task) };
}

/** How many events a plan counts; of more it says how many there are at least. */
const MOST_EVENTS = 10_000;

/** Plans `redactUser`. Events that cannot be redacted when it is carried out are counted, too. */
export async function planRedactUser(
  deps: Deps,
  request: RedactUserRequest,
  context: HandlerContext,
): Promise<Planned> {
  const { userId } = request;
  const { params } = await check(deps, request, context);
  const sample = [{ kind: 'user', id: userId }];
  if (!params) return { changes: [], sample };
  let [count, rooms] = [0, 0];
  for await (const roomId of roomsOf(deps, userId, params)) {
    if (count >= MOST_EVENTS) break;
    const room = await loadRoom(deps, roomId);
    if (!room) continue;
    const before = count;
    for await (const some of unredactedOf(deps, userId, params, room)) {
      count += some.length;
      if (count >= MOST_EVENTS) break;
    }
    if (count > before) rooms += 1;
  }
  const atLeast = count >= MOST_EVENTS;
  return {
    changes: [
      { kind: 'events', change: 'changed', count, atLeast },
      { kind: 'rooms', change: 'changed', count: rooms, atLeast },
    ],
    sample,
    irreversible: count > 0 ? ['contents'] : [],
  };
}

/** Checks a request. There are no parameters for the repetition of a call whose task exists. */
async function check(
  deps: Pick<Deps, 'serverName' | 'tasks'>,
  request: RedactUserRequest,
  context: HandlerContext,
): Promise<{ readonly params?: UserRedactionParams; readonly id: string | undefined }> {
  const { userId: key, limit = 0n, beforeTs, afterTs } = request;
  const user = parseUserId(key);
  if (!user) throw refuse.invalidParam('Not a user id');
  raiseDeferred(context);
  if (limit < 0n) throw refuse.unknown("'limit' must be at least 0");
  // Otherwise no redaction could be sent.
  if (Buffer.byteLength(JSON.stringify(request.reason ?? '')) > MAX_REASON_BYTES) {
    throw refuse.tooLarge(`'reason' has at most ${MAX_REASON_BYTES} bytes`);
  }
  const id = callId(context);
  if (id !== undefined && (await deps.tasks.find(id))) return { id };
  if (await deps.tasks.isAnyOpen(key, REDACT_USER)) {
    throw refuse.unknown('The events of this user are being redacted already');
  }
  const caller = requester(context);
  const asUser = user.domain === deps.serverName && request.useAdmin !== true;
  if (!asUser && !hasAccount(caller))
    throw refuse.forbidden('The caller has no account that could redact events: use the token of an account');
  const params: UserRedactionParams = {
    rooms: request.rooms,
    reason: request.reason ?? null,
    limit: clampToSafe(limit) || DEFAULT_REDACTION_LIMIT,
    sender: asUser ? key : caller.userId,
    beforeMs: beforeTs === undefined ? null : clampToSafe(beforeTs),
    afterMs: afterTs === undefined ? null : clampToSafe(afterTs),
  };
  return { params, id };
}
