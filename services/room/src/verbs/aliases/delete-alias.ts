import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { type JsonObject, own } from '@steward/kernel';
import type { DeleteAliasRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { headers, requester } from '@steward/rpc';
import { append } from '../../core/aggregate/append.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import { isRoomAlias } from '../../core/protocol/mod.ts';
import { stateEventAt } from '../../core/reading/state-at.ts';
import { requireDirectoryEditor } from '../../core/refusals/require-directory-editor.ts';
import { unlessRefused } from '../../core/refusals/unless-refused.ts';
import { addChecked } from '../../core/sending/add-checked.ts';

const CANONICAL_ALIAS = 'm.room.canonical_alias';

/**
 * Deletes an alias; allowed to its creator and the room's directory editors (client-plane.md 7.11). Also removes the
 * alias from the room's canonical alias event, if the caller may send that event.
 */
export async function deleteAlias(deps: Deps, { alias }: DeleteAliasRequest, context: HandlerContext) {
  const caller = requester(context);
  if (!isRoomAlias(alias)) throw refuse.invalidParam('This is not a room alias');
  const held = await deps.aliases.findOne({ _id: alias });
  const room = held && (await loadRoom(deps, held.room_id));
  if (!held || !room) throw refuse.notFound('Room alias not found');
  const roomId = room._id;
  if (held.creator !== caller.userId) await requireDirectoryEditor(deps, room, context);
  const claim = await stateEventAt(deps, { roomId, arrival: room.arrival }, CANONICAL_ALIAS, '');
  const removesClaim =
    claim !== undefined &&
    without(toRoomEvent(claim).event.content, alias) !== undefined &&
    !caller.shadowBanned &&
    !caller.suspended;
  if (removesClaim) deps.limits.message.take(caller);
  await deps.aliases.deleteOne({ _id: alias, room_id: roomId });
  if (removesClaim) {
    const traceparent = context.requestHeader.get(headers.traceparent) ?? '';
    await unlessRefused(removeClaim(deps, roomId, alias, caller.userId, traceparent));
  }
  return {};
}

/** Removes an alias from the canonical alias event of its room. */
function removeClaim(
  deps: Deps,
  roomId: string,
  alias: string,
  sender: string,
  traceparent: string,
): Promise<void> {
  return append(
    deps,
    roomId,
    async (view) => {
      const current = await view.state(CANONICAL_ALIAS);
      const content = current && without(current.event.content, alias);
      if (content) await addChecked(deps, view, { type: CANONICAL_ALIAS, state_key: '', sender, content });
    },
    { traceparent },
  );
}

/** The content of a canonical alias event without an alias; `undefined` if it does not name the alias. */
function without(content: JsonObject, alias: string): JsonObject | undefined {
  const { alias: main, alt_aliases: alternatives, ...rest } = content;
  const others = Array.isArray(alternatives) ? alternatives.filter((other) => other !== alias) : [];
  const isClaimed = own(content, 'alias') === alias || others.length < listLength(alternatives);
  if (!isClaimed) return undefined;
  return {
    ...rest,
    ...(main === undefined || main === alias ? {} : { alias: main }),
    ...(others.length > 0 ? { alt_aliases: others } : {}),
  };
}

function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
