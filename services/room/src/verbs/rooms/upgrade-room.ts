import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { type JsonObject, own } from '@steward/kernel';
import type { UpgradeRoomRequest } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { headers, requester } from '@steward/rpc';
import { append } from '../../core/aggregate/append.ts';
import { foundRoom } from '../../core/aggregate/initialize-room.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { profileOf } from '../../core/membership/change-membership.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import { MAX_ADMITTED } from '../../core/model/pending-effects.ts';
import type { Room } from '../../core/model/room.ts';
import {
  closedPowerLevels,
  creatorsOf,
  type EventDraft,
  findRoomVersion,
  isRoomId,
  joinRuleOf,
  newRoomId,
  planRoom,
  powerLevelsOf,
  type RoomEvent,
  type RoomVersion,
  readingVersion,
  UPGRADED_TYPES,
  upgradedCreateContent,
  upgradedPowerLevels,
  validateEvent,
} from '../../core/protocol/mod.ts';
import { loadEvents } from '../../core/reading/load-events.ts';
import { stateAt } from '../../core/reading/state-at.ts';
import { pretend } from '../../core/refusals/delay-as-shadow-banned.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';
import { unlessRefused } from '../../core/refusals/unless-refused.ts';
import { addChecked } from '../../core/sending/add-checked.ts';
import { RoomView } from '../../core/view/room-view.ts';

const CANONICAL_ALIAS = 'm.room.canonical_alias';

/** A room that is to be replaced, and by what. */
interface Upgrade {
  readonly old: Room;
  readonly create: RoomEvent;
  readonly powerLevels: RoomEvent | undefined;
  /** The events of `UPGRADED_TYPES` and the canonical alias that the old room has. */
  readonly state: readonly RoomEvent[];
  readonly version: RoomVersion;
  readonly additionalCreators: readonly string[];
  readonly sender: string;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
}

/**
 * Has a new room of another version take the place of one (client-plane.md 7.8). The new room is complete
 * before the old one says so; when this dies in between, the old one goes on as if nothing had happened.
 */
export async function upgradeRoom(deps: Deps, request: UpgradeRoomRequest, context: HandlerContext) {
  const caller = requester(context);
  const version = findRoomVersion(request.newVersion);
  if (!version) throw refuse.unsupportedRoomVersion('This room version is not supported');
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  if (caller.shadowBanned) {
    await pretend(deps);
    return { replacementRoom: newRoomId(deps.random, deps.serverName) };
  }
  const upgrade = await plan(deps, request, version, caller.userId, {
    traceparent: context.requestHeader.get(headers.traceparent) ?? '',
  });
  deps.limits.roomCreation.take(caller);
  const replacement = await foundReplacement(deps, upgrade);
  await replace(deps, upgrade, replacement);
  await moveAliases(deps, upgrade, replacement);
  return { replacementRoom: replacement };
}

/** @throws refuse.forbidden for whoever is not in the room, or may not say that it has been replaced */
async function plan(
  deps: Deps,
  { roomId, additionalCreators }: UpgradeRoomRequest,
  version: RoomVersion,
  sender: string,
  { traceparent }: Pick<Upgrade, 'traceparent'>,
): Promise<Upgrade> {
  const old = await loadRoom(deps, roomId);
  if (!old) throw refuse.forbidden('You are not in this room');
  const view = new RoomView(deps, old, { known: deps.memory.stateAt(old) });
  if ((await view.membership(sender)) !== 'join') throw refuse.forbidden('You are not in this room');
  const lookup = await view.lookup([
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const levels = powerLevelsOf(lookup, readingVersion(old.room_version));
  const create = lookup('m.room.create', '');
  if (!create || levels.ofUser(sender) < levels.toSend('m.room.tombstone', true)) {
    throw refuse.forbidden('The power level does not suffice to replace the room');
  }
  const state: RoomEvent[] = [];
  for (const type of [...UPGRADED_TYPES, CANONICAL_ALIAS]) {
    const event = await view.state(type);
    if (event) state.push(event);
  }
  return {
    old,
    create,
    powerLevels: lookup('m.room.power_levels', ''),
    state,
    version,
    additionalCreators: version.creatorsAboveLevels ? additionalCreators : [],
    sender,
    traceparent,
  };
}

/** Creates the room that is to replace another, like it in everything that can be taken over; returns its id. */
async function foundReplacement(deps: Deps, upgrade: Upgrade): Promise<string> {
  const { old, create, powerLevels, version, additionalCreators, sender, traceparent } = upgrade;
  const lastEventId = old.extremities.at(-1)?.event_id ?? create.eventId;
  const { drafts } = planRoom(
    {
      roomVersion: version.id,
      creationContent: upgradedCreateContent(
        create.event.content,
        { roomId: old._id, lastEventId },
        additionalCreators,
      ),
    },
    {
      creator: sender,
      creatorProfile: await profileOf(deps, sender),
      serverName: deps.serverName,
      defaultRoomVersion: version.id,
    },
  );
  const [creation, creatorJoin] = drafts;
  if (!creation || !creatorJoin) throw new Error('A room has no beginning');
  const copies = upgrade.state
    .filter(({ event }) => event.type !== CANONICAL_ALIAS)
    .map(({ event }) => draftOf(event, sender));
  const room = await foundRoom(deps, {
    version,
    creator: sender,
    isPublic: old.public,
    alias: undefined,
    drafts: [creation, creatorJoin, ...copies.filter((draft) => isValid(deps, draft))],
    traceparent,
  });
  const add = async (page: readonly EventDraft[]) => {
    await append(
      deps,
      room._id,
      async (view) => {
        for (const draft of page) await view.add(draft);
      },
      { traceparent },
    );
  };
  await copyBans(deps, upgrade, add);
  if (old.room_type === 'm.space') await copyChildren(deps, upgrade, add);
  // Last, because it may leave whoever upgrades the room too little power for the rest.
  if (powerLevels) {
    const oldVersion = readingVersion(old.room_version);
    const content = upgradedPowerLevels(
      powerLevels.event.content,
      version,
      oldVersion.creatorsAboveLevels ? creatorsOf(create, oldVersion) : [],
      [sender, ...additionalCreators],
    );
    const draft = { ...draftOf(powerLevels.event, sender), content };
    if (isValid(deps, draft)) await add([draft]);
  }
  return room._id;
}

function draftOf({ type, state_key, content }: RoomEvent['event'], sender: string): EventDraft {
  return { type, state_key: state_key ?? '', sender, content };
}

/** Whether today's rules admit an event of the old room, which may be older than they are. */
function isValid(deps: Deps, draft: EventDraft): boolean {
  try {
    validateEvent(draft, {
      roomId: undefined,
      serverName: deps.serverName,
      joinRule: joinRuleOf(() => undefined),
    });
    return true;
  } catch {
    return false;
  }
}

type AddPage = (page: readonly EventDraft[]) => Promise<void>;

async function copyBans(deps: Deps, { old, sender }: Upgrade, add: AddPage): Promise<void> {
  let ids: string[] = [];
  const flush = async () => {
    const events = await loadEvents(deps, ids);
    ids = [];
    if (events.length > 0) await add(events.map((document) => draftOf(toRoomEvent(document).event, sender)));
  };
  const banned = deps.members.find({ room_id: old._id, membership: 'ban' }, { projection: { event_id: 1 } });
  for await (const { event_id } of banned) {
    ids.push(event_id);
    if (ids.length === MAX_ADMITTED) await flush();
  }
  await flush();
}

async function copyChildren(deps: Deps, { old, sender }: Upgrade, add: AddPage): Promise<void> {
  const point = { roomId: old._id, arrival: old.arrival };
  for await (const page of stateAt(deps, point, 'm.space.child')) {
    const children = page
      .map((document) => toRoomEvent(document).event)
      // Children are taken away by an empty event.
      .filter(({ content, state_key }) => isRoomId(state_key ?? '') && own(content, 'via') !== undefined)
      .map((event) => draftOf(event, sender));
    for (let from = 0; from < children.length; from += MAX_ADMITTED)
      await add(children.slice(from, from + MAX_ADMITTED));
  }
}

/** Has the old room say what has replaced it, and closes it, where its levels let the sender do so. */
async function replace(
  deps: Deps,
  { old, sender, traceparent }: Upgrade,
  replacement: string,
): Promise<void> {
  await append(
    deps,
    old._id,
    async (view) => {
      await addChecked(deps, view, {
        type: 'm.room.tombstone',
        state_key: '',
        sender,
        content: { body: 'This room has been replaced', replacement_room: replacement },
      });
      const levels = await view.state('m.room.power_levels');
      const content = levels && closedPowerLevels(levels.event.content, readingVersion(old.room_version));
      if (!content) return;
      await unlessRefused(view.add({ type: 'm.room.power_levels', state_key: '', sender, content }));
    },
    { traceparent },
  );
}

/** Has the aliases of the old room, and its place in the directory, be those of the new one. */
async function moveAliases(
  deps: Deps,
  { old, state, sender, traceparent }: Upgrade,
  replacement: string,
): Promise<void> {
  await deps.rooms.updateOne({ _id: old._id }, { $set: { public: false } });
  await deps.aliases.updateMany({ room_id: old._id }, { $set: { room_id: replacement } });
  const claim = state.find(({ event }) => event.type === CANONICAL_ALIAS)?.event.content;
  if (claim === undefined || own(claim, 'alias') === undefined) return;
  const say = (roomId: string, content: JsonObject) => {
    const draft = { type: CANONICAL_ALIAS, state_key: '', sender, content };
    return unlessRefused(append(deps, roomId, (view) => addChecked(deps, view, draft), { traceparent }));
  };
  await say(old._id, {});
  await say(replacement, claim);
}
