import { setImmediate } from 'node:timers/promises';
import { refuse } from '@steward/errors';
import { Conflict } from '@steward/store';
import { releaseAlias, reserveAlias } from '../aliases/reserve-alias.ts';
import type { Deps } from '../deps.ts';
import { newcomersAmong } from '../model/admitted-members.ts';
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
import { RoomView } from '../view/room-view.ts';
import { append, DELIVERY_WAIT_MS } from './append.ts';
import { settleRoom } from './apply-pending.ts';
import { lookAtNewcomers } from './recheck-admitted-members.ts';
import { insertUnseen, owedFor } from './run-batch.ts';

/** A room that is to be. */
export interface Foundation {
  readonly version: RoomVersion;
  /** The id that it is to have, in versions whose ids are made up; a new one unless given. */
  readonly roomId?: string;
  readonly creator: string;
  /** Whether the directory is to list it. */
  readonly isPublic: boolean;
  /** The alias that it is to have; may be one that is taken. */
  readonly alias: string | undefined;
  /** The events that it starts with, the create event first. */
  readonly drafts: readonly EventDraft[];
  /** Those of the invited who were deactivated before. */
  readonly deactivated?: ReadonlySet<string>;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
  /** The task that creates it, which finds it again by that. */
  readonly foundedBy?: string;
}

/**
 * Creates a room. Nothing remains when one of its events is refused. Up to `MAX_ADMITTED` events come into
 * being in the same instant as the room; further ones, which were admitted before it does, follow.
 *
 * @returns the room
 * @throws refuse.roomInUse for an alias that stands for another room, and what an event is refused with
 */
export async function foundRoom(deps: Deps, foundation: Foundation): Promise<Room> {
  const { version, creator, drafts, traceparent, foundedBy } = foundation;
  const blank: Room = {
    ...newRoom({
      // Where the room's id is a hash, its create event decides it.
      roomId: version.hashRoomIds ? '' : (foundation.roomId ?? newRoomId(deps.random, deps.serverName)),
      roomVersion: version.id,
      creator,
      public: foundation.isPublic,
      now: deps.clock.now(),
    }),
    ...(foundedBy === undefined ? {} : { founded_by: foundedBy }),
  };
  if (drafts.length > MAX_ADMITTED) await rehearse(deps, blank, foundation);
  const view = new RoomView(deps, blank);
  await addAll(deps, view, drafts.slice(0, MAX_ADMITTED), foundation);
  const { room, looked } = await store(deps, view, foundation);
  for (let from = MAX_ADMITTED; from < drafts.length; from += MAX_ADMITTED) {
    const next = drafts.slice(from, from + MAX_ADMITTED);
    await append(deps, room._id, (later) => addAll(deps, later, next, foundation), { traceparent });
  }
  await Promise.all([deps.relay.delivered(room._id, DELIVERY_WAIT_MS), looked]);
  return room;
}

/** Goes through all events of a room that one commit cannot admit, so that what is refused is refused at once. */
async function rehearse(deps: Deps, blank: Room, foundation: Foundation): Promise<void> {
  const { drafts } = foundation;
  const view = new RoomView(deps, blank, { capacity: drafts.length });
  for (let from = 0; from < drafts.length; from += MAX_ADMITTED) {
    await addAll(deps, view, drafts.slice(from, from + MAX_ADMITTED), foundation);
    // Others want to be served as well.
    await setImmediate();
  }
}

async function addAll(
  deps: Deps,
  view: RoomView,
  drafts: readonly EventDraft[],
  { alias, traceparent, deactivated }: Foundation,
): Promise<void> {
  view.begin(traceparent);
  for (const draft of drafts) {
    const state = await view.lookup([['m.room.join_rules', '']]);
    const roomId = view.room._id || undefined;
    validateEvent(draft, { roomId, serverName: deps.serverName, joinRule: joinRuleOf(state) });
    if (draft.type === 'm.room.canonical_alias') {
      const foreign = newAliases(draft.content).find((claimed) => claimed !== alias);
      if (foreign !== undefined) throw refuse.badAlias(`${foreign} does not stand for this room`);
    }
    const invited = draft.type === 'm.room.member' ? (draft.state_key ?? '') : '';
    await view.add(draft, { toDeactivated: deactivated?.has(invited) ?? false });
  }
}

/** @returns the room, and what resolves when the first members have been looked at */
async function store(
  deps: Deps,
  view: RoomView,
  { alias, creator }: Foundation,
): Promise<{ readonly room: Room; readonly looked: Promise<void> | undefined }> {
  const newcomers = newcomersAmong(deps, view.admitted);
  const room: Room = { ...view.room, version: 1, pending: owedFor(deps, view, newcomers) };
  if (alias !== undefined) await reserveAlias(deps, alias, room._id, creator);
  try {
    await insertUnseen(deps, view);
    await deps.rooms.insertOne(room);
  } catch (error) {
    // After another error the room may be there all the same; if it is not, the alias is soon free again.
    if (alias !== undefined && error instanceof Conflict) await releaseAlias(deps, alias, room._id);
    throw error;
  }
  const settled = await settleRoom(deps, room, { events: view.documents().events });
  deps.memory.keep(settled, view.knownState);
  return { room: settled, looked: newcomers && lookAtNewcomers(deps, room._id, newcomers) };
}
