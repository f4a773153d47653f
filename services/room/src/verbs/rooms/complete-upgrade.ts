import { type JsonObject, own } from '@steward/kernel';
import { append } from '../../core/aggregate/append.ts';
import { rooms } from '../../core/aggregate/rooms.ts';
import type { Deps } from '../../core/deps.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import type { Room } from '../../core/model/room.ts';
import { facetAfter } from '../../core/model/room-facet.ts';
import { stateEventAt } from '../../core/reading/state-at.ts';
import { unlessRefused } from '../../core/refusals/unless-refused.ts';
import { addChecked } from '../../core/sending/add-checked.ts';

const CANONICAL_ALIAS = 'm.room.canonical_alias';

/** An upgrade that the tombstone of the old room has announced. */
export interface AnnouncedUpgrade {
  /** The replaced room. */
  readonly old: Pick<Room, '_id'>;
  /** The id of the room that replaces it. */
  readonly replacement: string;
  /** The user who upgrades the room. */
  readonly sender: string;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
}

/**
 * Moves the aliases of a replaced room, and its entry in the directory, to the replacement, which is then complete.
 * Idempotent.
 */
export async function completeUpgrade(deps: Deps, upgrade: AnnouncedUpgrade): Promise<void> {
  const { old, replacement } = upgrade;
  const closed = await rooms.change(deps, old._id, (room) =>
    room.public ? { set: { public: false, ...facetAfter(room, { public: false }) } } : undefined,
  );
  await deps.aliases.updateMany({ room_id: old._id }, { $set: { room_id: replacement } });
  if (closed) await moveClaim(deps, closed.document, upgrade);
  await rooms.change(deps, replacement, (room) =>
    room.upgrade_of === undefined ? undefined : { unset: { upgrade_of: true } },
  );
}

/** Moves the content of the canonical alias event from the old room to its replacement. */
async function moveClaim(
  deps: Deps,
  old: Room,
  { replacement, sender, traceparent }: AnnouncedUpgrade,
): Promise<void> {
  const claim = await stateEventAt(deps, { roomId: old._id, arrival: old.arrival }, CANONICAL_ALIAS, '');
  const content = claim && toRoomEvent(claim).event.content;
  if (!content || own(content, 'alias') === undefined) return;
  const put = (roomId: string, claimed: JsonObject) => {
    const draft = { type: CANONICAL_ALIAS, state_key: '', sender, content: claimed };
    return unlessRefused(append(deps, roomId, (view) => addChecked(deps, view, draft), { traceparent }));
  };
  // The old room must be changed last: a retry after a crash reads the content from there.
  await put(replacement, content);
  await put(old._id, {});
}
