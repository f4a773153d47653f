import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { refuse } from '@steward/errors';
import { Conflict } from '@steward/store';
import { type AliasCreator, claimOwnAlias, releaseAlias } from '../aliases/reserve-alias.ts';
import { abandonRoom } from '../deletion/abandon-room.ts';
import type { Deps } from '../deps.ts';
import { membersAdmittedBy } from '../model/admitted-members.ts';
import { MAX_ADMITTED } from '../model/pending-effects.ts';
import { newRoom, type Room } from '../model/room.ts';
import { facetOf } from '../model/room-facet.ts';
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
import { append } from './append.ts';
import { recheckAdmitted, rooms } from './rooms.ts';
import { effectsOf, insertUnseen } from './run-batch.ts';

/** The room to create. */
export interface RoomInitialization {
  readonly version: RoomVersion;
  /** The id of the room, in versions with random ids; a new one unless given. */
  readonly roomId?: string;
  readonly creator: string;
  /** Whether the directory lists it. */
  readonly isPublic: boolean;
  /** The alias of the room; refused if it stands for another room, or the user has too many. */
  readonly alias?: { readonly name: string; readonly creator: AliasCreator };
  /** The initial events, the create event first. */
  readonly drafts: readonly EventDraft[];
  /** State of another room, added after `drafts`; its content is not validated, see `validateEvent`. */
  readonly copied?: readonly EventDraft[];
  /** The invited users who are deactivated. */
  readonly deactivated?: ReadonlySet<string>;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
  /** The id of the task that creates the room, by which the task finds it after a crash. */
  readonly foundedBy?: string;
  /** The id of the room that it replaces, see `Room`. */
  readonly upgradeOf?: string;
}

/** An initial event of a room. */
interface InitialEvent {
  readonly draft: EventDraft;
  readonly isCopied: boolean;
}

/**
 * Creates a room; if one of its events is refused, no room remains. The insertion of the room admits up to
 * `MAX_ADMITTED` events. If there are more, all events pass a preflight first, and further commits admit the rest.
 *
 * @throws refuse.roomInUse for an alias that stands for another room, quotaExceeded for one too many; the refusal of an event
 */
export async function initializeRoom(deps: Deps, init: RoomInitialization): Promise<Room> {
  const { traceparent } = init;
  const blank = blankRoom(deps, init);
  const [first = [], ...pages] = pagesOf(init);
  if (pages.length > 0) await preflight(deps, blank, init, [first, ...pages]);
  const view = new RoomView(deps, blank);
  await addAll(deps, view, first, init);
  const { room, rechecked } = await storeRoom(deps, view, init);
  try {
    for (const page of pages) {
      await append(deps, room._id, (later) => addAll(deps, later, page, init), { traceparent });
    }
  } catch (error) {
    // A refusal after the preflight means that an administrator has changed or deleted the new room.
    if (isRefusal(error)) await abandonRoom(deps, room);
    throw error;
  }
  await Promise.all([deps.relay.delivered(room._id, deps.settings.deliveryWaitMs), rechecked]);
  return room;
}

/**
 * Does in a room that is not stored what is to be done in it after its creation, so that a refusal comes before the room exists.
 *
 * @throws the refusal of an event
 */
export async function rehearseIn(
  deps: Deps,
  init: RoomInitialization,
  work: (view: RoomView) => Promise<unknown>,
): Promise<void> {
  const view = await preflight(deps, blankRoom(deps, init), init, pagesOf(init));
  await work(view);
}

/** The room without events. */
function blankRoom(deps: Deps, init: RoomInitialization): Room {
  const { version, creator, foundedBy, upgradeOf } = init;
  return {
    ...newRoom({
      // If the room's id is a hash, the create event determines it.
      roomId: version.hashRoomIds ? '' : (init.roomId ?? newRoomId(deps.random, deps.serverName)),
      roomVersion: version.id,
      creator,
      public: init.isPublic,
      now: deps.clock.now(),
    }),
    ...(foundedBy === undefined ? {} : { founded_by: foundedBy }),
    ...(upgradeOf === undefined ? {} : { upgrade_of: upgradeOf }),
  };
}

/** Splits the events into the commits that admit them. */
function pagesOf({ drafts, copied = [] }: RoomInitialization): readonly (readonly InitialEvent[])[] {
  const events = [
    ...drafts.map((draft) => ({ draft, isCopied: false })),
    ...copied.map((draft) => ({ draft, isCopied: true })),
  ];
  const count = Math.ceil(events.length / MAX_ADMITTED);
  return Array.from({ length: count }, (_, page) =>
    events.slice(page * MAX_ADMITTED, (page + 1) * MAX_ADMITTED),
  );
}

/** Adds all events to a view that is not committed, so that an event is refused before the room exists; returns the view. */
async function preflight(
  deps: Deps,
  blank: Room,
  init: RoomInitialization,
  pages: readonly (readonly InitialEvent[])[],
): Promise<RoomView> {
  const view = new RoomView(deps, blank);
  for (const page of pages) {
    await addAll(deps, view, page, init);
    view.discardAdmitted();
    await yieldToEventLoop();
  }
  return view;
}

async function addAll(
  deps: Deps,
  view: RoomView,
  events: readonly InitialEvent[],
  { alias, traceparent, deactivated }: RoomInitialization,
): Promise<void> {
  view.begin(traceparent);
  for (const { draft, isCopied } of events) {
    if (!isCopied) await validateInitial(deps, view, draft, alias?.name);
    const invited = draft.type === 'm.room.member' ? (draft.state_key ?? '') : '';
    await view.add(draft, { toDeactivated: deactivated?.has(invited) ?? false });
  }
}

/** @throws the refusal of the content of an initial event */
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

/** @returns the room, and a promise that resolves when its first members were rechecked */
async function storeRoom(
  deps: Deps,
  view: RoomView,
  { alias }: RoomInitialization,
): Promise<{ readonly room: Room; readonly rechecked: Promise<void> | undefined }> {
  const admittedMembers = membersAdmittedBy(deps, view.admitted);
  const { pending: _, ...blank } = view.room;
  const roomId = blank._id;
  if (alias && !(await claimOwnAlias(deps, alias.name, roomId, alias.creator)))
    throw refuse.roomInUse('The alias is taken');
  let room: Room;
  try {
    await insertUnseen(deps, view);
    room = await rooms.create(
      deps,
      { ...blank, ...facetOf(blank), version: 1 },
      effectsOf(view, admittedMembers),
      {
        known: { events: view.documents().events },
      },
    );
  } catch (error) {
    // After any other error the room may exist; if it does not, the reservation of the alias expires.
    if (alias && error instanceof Conflict) await releaseAlias(deps, alias.name, roomId);
    throw error;
  }
  deps.memory.keep(room, view.knownState);
  return { room, rechecked: admittedMembers && recheckAdmitted(deps, room, admittedMembers) };
}
