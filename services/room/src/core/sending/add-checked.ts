import { refuse } from '@steward/errors';
import { resolveAlias } from '../aliases/resolve-room.ts';
import type { Deps } from '../deps.ts';
import { toRoomEvent } from '../model/event-form.ts';
import {
  checkRelation,
  type EventDraft,
  joinRuleOf,
  newAliases,
  type Relation,
  relationOf,
  validateEvent,
} from '../protocol/mod.ts';
import type { RoomView, SendOptions } from '../view/room-view.ts';

/** The most annotations of an event by a user that are checked for duplicates. */
const MAX_ANNOTATIONS = 1_000;

/** The options for adding an event of a member. */
export interface CheckedOptions extends SendOptions {
  /** Counts a state event against a limit, unless it repeats the current one; throws to refuse it. */
  readonly count?: () => void;
}

/**
 * Adds an event of a member, if its content is valid for its type (client-plane.md 4.6).
 *
 * @returns the id of the event
 * @throws refuse.forbidden when the sender is not in the room; then what `count` throws; then the refusal of the content; then what
 * `RoomView.add` throws
 */
export async function addChecked(
  deps: Deps,
  view: RoomView,
  draft: EventDraft,
  { count, ...options }: CheckedOptions = {},
): Promise<string> {
  await requireJoined(view, draft.sender);
  if (count && !(await view.repeats(draft))) count();
  const state = await view.lookup([['m.room.join_rules', '']]);
  const roomId = view.room._id;
  validateEvent(draft, { roomId, serverName: deps.serverName, joinRule: joinRuleOf(state) });
  if (draft.type === 'm.room.canonical_alias') await requireOwnAliases(deps, view, draft);
  const relation = relationOf(draft.content);
  if (relation) await requireValidRelation(deps, view, draft, relation);
  const { eventId } = await view.add(draft, options);
  return eventId;
}

/** @throws refuse.forbidden */
export async function requireJoined(view: RoomView, userId: string): Promise<void> {
  if ((await view.membership(userId)) !== 'join') throw refuse.forbidden('You are not in this room');
}

async function requireOwnAliases(deps: Deps, view: RoomView, draft: EventDraft): Promise<void> {
  const before = await view.state('m.room.canonical_alias');
  for (const alias of newAliases(draft.content, before?.event.content)) {
    if ((await resolveAlias(deps, alias)) !== view.room._id) {
      throw refuse.badAlias(`${alias} does not stand for this room`);
    }
  }
}

async function requireValidRelation(
  deps: Deps,
  view: RoomView,
  { type, sender }: EventDraft,
  relation: Relation,
): Promise<void> {
  const { eventId, relType, key } = relation;
  const added = view.admitted.map(({ event }) => event);
  const stored = await deps.events.findOne({ _id: eventId });
  const target =
    added.find((event) => event.eventId === eventId) ??
    (stored?.arrival === undefined ? undefined : toRoomEvent(stored));
  let isDuplicate = false;
  if (relType === 'm.annotation') {
    const others = await deps.events
      .find(
        { relates_to: eventId, rel_type: relType, sender, type, redacted_by: null },
        { limit: MAX_ANNOTATIONS },
      )
      .toArray();
    isDuplicate = [...others.filter(({ arrival }) => arrival !== undefined).map(toRoomEvent), ...added].some(
      ({ event }) => {
        const other = relationOf(event.content);
        return (
          event.sender === sender &&
          event.type === type &&
          other?.eventId === eventId &&
          other.relType === relType &&
          other.key === key
        );
      },
    );
  }
  checkRelation(relation, { roomId: view.room._id, target, isDuplicate });
}
