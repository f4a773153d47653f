import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { refuse } from '@steward/errors';
import { Conflict } from '@steward/store';
import { releaseAlias, reserveAlias } from '../aliases/reserve-alias.ts';
import { abandonRoom } from '../deletion/abandon-room.ts';
import type { Deps } from '../deps.ts';
import { membersAdmittedBy } from '../model/admitted-members.ts';
import { MAX_ADMITTED } from '../model/pending-effects.ts';
import { newRoom, type Room } from '../model/room.ts';
import {
  type EventDraft,
  joinRuleOf,
  newAliases,
  newRoomId,
  type RoomVersion,
  validateEvent,
} from '../protocol/mod.ts';
import { isRefusal } from '../refusals/is-refusal.ts';
import { RoomView } from '../view/room-view.ts';
import { append, DELIVERY_WAIT_MS } from './append.ts';
import { recheckAdmitted, rooms } from './rooms.ts';
import { effectsOf, insertUnseen } from './run-batch.ts';

/** A room that is to be created. */
export interface RoomInitialization {
  readonly version: RoomVersion;
  /** The id of the room, in versions whose ids are made up; a new one unless given. */
  readonly roomId?: string;
  readonly creator: string;
  /** Whether the directory is to list it. */
  readonly isPublic: boolean;
  /** The alias of the room; may be one that is taken. */
  readonly alias: string | undefined;
  /** The events that it starts with, the create event first. */
  readonly drafts: readonly EventDraft[];
  /** State of another room, added after `drafts`: its content is taken over as it is, see `validateEvent`. */
  readonly copied?: readonly EventDraft[];
  /** Those of the invited who were deactivated before. */
  readonly deactivated?: ReadonlySet<string>;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
  /** The task that creates it, which finds it again by that. */
  readonly foundedBy?: string;
  /** The room that it is to replace, see `Room`. */
  readonly upgradeOf?: string;
}

/** An event that a room starts with. */
interface InitialEvent {
  readonly draft: EventDraft;
  readonly isCopied: boolean;
}

/**
 * Creates a room. Nothing remains when one of its events is refused. Up to `MAX_ADMITTED` events are admitted by the
 * insertion of the room itself; further ones, all of which pass a preflight before the room exists, follow.
 *
 * @returns the room
 * @throws refuse.roomInUse for an alias that stands for another room, and what an event is refused with
 */
export async function initializeRoom(deps: Deps, init: RoomInitialization): Promise<Room> {
  const { version, creator, traceparent, foundedBy, upgradeOf } = init;
  const blank: Room = {
    ...newRoom({
      // Where the room's id is a hash, its create event decides it.
      roomId: version.hashRoomIds ? '' : (init.roomId ?? newRoomId(deps.random, deps.serverName)),
      roomVersion: version.id,
      creator,
      public: init.isPublic,
      now: deps.clock.now(),
    }),
    ...(foundedBy === undefined ? {} : { founded_by: foundedBy }),
    ...(upgradeOf === undefined ? {} : { upgrade_of: upgradeOf }),
  };
  const [first = [], ...pages] = pagesOf([
    ...init.drafts.map((draft) => ({ draft, isCopied: false })),
    ...(init.copied ?? []).map((draft) => ({ draft, isCopied: true })),
  ]);
  if (pages.length > 0) await preflight(deps, blank, init, [first, ...pages]);
  const view = new RoomView(deps, blank);
  await addAll(deps, view, first, init);
  const { room, rechecked } = await storeRoom(deps, view, init);
  try {
    for (const page of pages) {
      await append(deps, room._id, (later) => addAll(deps, later, page, init), { traceparent });
    }
  } catch (error) {
    // An administrator has changed the new room, or deleted it.
    if (isRefusal(error)) await abandonRoom(deps, room);
    throw error;
  }
  await Promise.all([deps.relay.delivered(room._id, DELIVERY_WAIT_MS), rechecked]);
  return room;
}

/** Events by commits that admit them. */
function pagesOf(events: readonly InitialEvent[]): readonly (readonly InitialEvent[])[] {
  const count = Math.ceil(events.length / MAX_ADMITTED);
  return Array.from({ length: count }, (_, page) =>
    events.slice(page * MAX_ADMITTED, (page + 1) * MAX_ADMITTED),
  );
}

/** Goes through all events of a room that one commit cannot admit, so that a refusal comes before the room exists. */
async function preflight(
  deps: Deps,
  blank: Room,
  init: RoomInitialization,
  pages: readonly (readonly InitialEvent[])[],
): Promise<void> {
  const view = new RoomView(deps, blank);
  for (const page of pages) {
    await addAll(deps, view, page, init);
    view.discardAdmitted();
    await yieldToEventLoop();
  }
}

async function addAll(
  deps: Deps,
  view: RoomView,
  events: readonly InitialEvent[],
  { alias, traceparent, deactivated }: RoomInitialization,
): Promise<void> {
  view.begin(traceparent);
  for (const { draft, isCopied } of events) {
    if (!isCopied) await validateInitial(deps, view, draft, alias);
    const invited = draft.type === 'm.room.member' ? (draft.state_key ?? '') : '';
    await view.add(draft, { toDeactivated: deactivated?.has(invited) ?? false });
  }
}

/** @throws what the content of an event is refused with that a room is to start with */
async function validateInitial(
  deps: Deps,
  view: RoomView,
  draft: EventDraft,
  alias: string | undefined,
): Promise<void> {
  const state = await view.lookup([['m.room.join_rules', '']]);
  const roomId = view.room._id || undefined;
  validateEvent(draft, { roomId, serverName: deps.serverName, joinRule: joinRuleOf(state) });
  if (draft.type !== 'm.room.canonical_alias') return;
  const foreign = newAliases(draft.content).find((claimed) => claimed !== alias);
  if (foreign !== undefined) throw refuse.badAlias(`${foreign} does not stand for this room`);
}

/** @returns the room, and what resolves when its first members were rechecked */
async function storeRoom(
  deps: Deps,
  view: RoomView,
  { alias, creator }: RoomInitialization,
): Promise<{ readonly room: Room; readonly rechecked: Promise<void> | undefined }> {
  const admittedMembers = membersAdmittedBy(deps, view.admitted);
  const { pending: _, ...blank } = view.room;
  const roomId = blank._id;
  if (alias !== undefined) await reserveAlias(deps, alias, roomId, creator);
  let room: Room;
  try {
    await insertUnseen(deps, view);
    room = await rooms.create(deps, { ...blank, version: 1 }, effectsOf(view, admittedMembers), {
      known: { events: view.documents().events },
    });
  } catch (error) {
    // After another error the room may be there all the same; if it is not, the alias is soon free again.
    if (alias !== undefined && error instanceof Conflict) await releaseAlias(deps, alias, roomId);
    throw error;
  }
  deps.memory.keep(room, view.knownState);
  return { room, rechecked: admittedMembers && recheckAdmitted(deps, room, admittedMembers) };
}
