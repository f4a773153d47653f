import type { Deps } from '../deps.ts';
import { toRoomEvent } from '../model/event-form.ts';
import {
  denyRedaction,
  type EventDraft,
  readingVersion,
  redactedIdOf,
  refuseDenied,
} from '../protocol/mod.ts';
import type { RoomView, SendOptions } from '../view/room-view.ts';
import { addChecked, requireJoined } from './add-checked.ts';

/**
 * Adds a redaction, if its sender may redact its target (client-plane.md 4.5).
 *
 * @returns the id of the redaction
 * @throws the refusal of the redaction
 */
export async function addRedaction(
  deps: Deps,
  view: RoomView,
  draft: EventDraft,
  options: SendOptions = {},
): Promise<string> {
  await requireJoined(view, draft.sender);
  const version = readingVersion(view.room.room_version);
  const redacts = redactedIdOf(draft, version) ?? '';
  const added = view.admitted.find(({ event }) => event.eventId === redacts)?.event;
  const stored = await deps.events.findOne({ _id: redacts });
  const target = added ?? (stored?.arrival === undefined ? undefined : toRoomEvent(stored));
  const state = await view.lookup([
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  refuseDenied(denyRedaction({ roomId: view.room._id, redactor: draft.sender, target }, version, state));
  return addChecked(deps, view, draft, options);
}
