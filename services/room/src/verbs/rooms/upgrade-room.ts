import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { own } from '@steward/kernel';
import type { UpgradeRoomRequest } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { headers, requester } from '@steward/rpc';
import { append } from '../../core/aggregate/append.ts';
import { initializeRoom, type RoomInitialization } from '../../core/aggregate/initialize-room.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { abandonRoom } from '../../core/deletion/abandon-room.ts';
import type { Deps } from '../../core/deps.ts';
import { profileOf } from '../../core/membership/change-membership.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import type { Room } from '../../core/model/room.ts';
import { refuseNoticeRoom } from '../../core/notices/notice-rooms.ts';
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
import { delayAsShadowBanned } from '../../core/refusals/delay-as-shadow-banned.ts';
import { isRefusal } from '../../core/refusals/is-refusal.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';
import { unlessRefused } from '../../core/refusals/unless-refused.ts';
import { addChecked } from '../../core/sending/add-checked.ts';
import { RoomView } from '../../core/view/room-view.ts';
import { completeUpgrade } from './complete-upgrade.ts';

/**
 * How long after the creation of its replacement a room may announce it; far below the age at which `sweepUpgrades`
 * removes a replacement that was not announced.
 */
const MAX_UPGRADE_MS = 10 * 60_000;

/** Events that are read with one query. */
const EVENTS_PER_QUERY = 100;

/** The room to replace, and the properties of its replacement. */
interface Upgrade {
  readonly old: Room;
  readonly create: RoomEvent;
  readonly powerLevels: RoomEvent | undefined;
  /** The events of `UPGRADED_TYPES` that the old room has. */
  readonly state: readonly RoomEvent[];
  readonly version: RoomVersion;
  readonly additionalCreators: readonly string[];
  readonly sender: string;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
}

/**
 * Replaces a room by a new one of another version (client-plane.md 7.8). The new room has all its events before the old
 * room announces it. A refusal leaves no new room; after a crash `sweepUpgrades` removes or completes it.
 */
export async function upgradeRoom(deps: Deps, request: UpgradeRoomRequest, context: HandlerContext) {
  const caller = requester(context);
  const version = findRoomVersion(request.newVersion);
  if (!version) throw refuse.unsupportedRoomVersion('This room version is not supported');
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  if (caller.shadowBanned) {
    await delayAsShadowBanned(deps);
    return { replacementRoom: newRoomId(deps.random, deps.serverName) };
  }
  const upgrade = await plan(deps, request, version, caller.userId, {
    traceparent: context.requestHeader.get(headers.traceparent) ?? '',
  });
  const { old, sender, traceparent } = upgrade;
  deps.limits.roomCreation.take(caller);
  const replacement = (await findInterrupted(deps, upgrade)) ?? (await createReplacement(deps, upgrade));
  await completeUpgrade(deps, { old, replacement, sender, traceparent });
  return { replacementRoom: replacement };
}

/** @throws refuse.forbidden when the sender is not in the room, or may not announce its replacement */
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
  await refuseNoticeRoom(deps, old);
  const lookup = await view.lookup([
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const levels = powerLevelsOf(lookup, readingVersion(old.room_version));
  const create = lookup('m.room.create', '');
  if (!create || levels.ofUser(sender) < levels.toSend('m.room.tombstone', true)) {
    throw refuse.forbidden('Your power level is too low to replace the room');
  }
  const state: RoomEvent[] = [];
  for (const type of UPGRADED_TYPES) {
    const event = await view.state(type);
    if (event) state.push(event);
  }
  // A preflight of the announcement, so that the old room refuses it before the replacement exists.
  await announce(deps, view, { old, sender }, newRoomId(deps.random, deps.serverName));
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

/**
 * The replacement that the old room has announced for the same caller and version, if a crash or a lost connection
 * interrupted that upgrade.
 */
async function findInterrupted(deps: Deps, { old, version, sender }: Upgrade): Promise<string | undefined> {
  if (old.replacement_room === null) return undefined;
  const room = await loadRoom(deps, old.replacement_room);
  const isInterrupted =
    room?.upgrade_of === old._id && room.room_version === version.id && room.creator === sender;
  return isInterrupted ? room._id : undefined;
}

/** Creates the replacement, and announces it in the old room; returns the id of the replacement. */
async function createReplacement(deps: Deps, upgrade: Upgrade): Promise<string> {
  const { old, traceparent } = upgrade;
  const room = await initializeRoom(deps, await initializationOf(deps, upgrade));
  const announceReplacement = (view: RoomView) => {
    if (deps.clock.now() - room.created_ts > MAX_UPGRADE_MS)
      throw refuse.unavailable('The upgrade of the room took too long; try again');
    return announce(deps, view, upgrade, room._id);
  };
  try {
    await append(deps, old._id, announceReplacement, { traceparent });
  } catch (error) {
    // After any other error the announcement may have been committed: `sweepUpgrades` checks that.
    if (isRefusal(error)) await abandonRoom(deps, room);
    throw error;
  }
  return room._id;
}

/** The replacement, with everything that is copied from the old room. */
async function initializationOf(deps: Deps, upgrade: Upgrade): Promise<RoomInitialization> {
  const { old, create, version, additionalCreators, sender, traceparent } = upgrade;
  const lastEventId = old.extremities.at(-1)?.event_id ?? create.eventId;
  const { drafts } = planRoom(
    {
      roomVersion: version.id,
      creationContent: upgradedCreateContent(
        create.event.content,
        { roomId: old._id, lastEventId },
        version,
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
  const settings = upgrade.state.map(({ event }) => draftOf(event, sender));
  return {
    version,
    creator: sender,
    isPublic: old.public,
    drafts: [creation, creatorJoin],
    copied: [
      ...settings.filter((draft) => isValid(deps, draft)),
      ...(await bansOf(deps, upgrade)),
      ...(old.room_type === 'm.space' ? await childrenOf(deps, upgrade) : []),
      // Must be last: they can lower the caller's power level below what the earlier events need.
      ...powerLevelsIn(deps, upgrade),
    ],
    traceparent,
    upgradeOf: old._id,
  };
}

/** The power levels of the new room; none if the current rules do not admit those of the old room. */
function powerLevelsIn(
  deps: Deps,
  { old, create, powerLevels, version, additionalCreators, sender }: Upgrade,
): readonly EventDraft[] {
  if (!powerLevels) return [];
  const oldVersion = readingVersion(old.room_version);
  const content = upgradedPowerLevels(
    powerLevels.event.content,
    version,
    oldVersion.creatorsAboveLevels ? creatorsOf(create, oldVersion) : [],
    [sender, ...additionalCreators],
  );
  const draft = { ...draftOf(powerLevels.event, sender), content };
  return isValid(deps, draft) ? [draft] : [];
}

function draftOf({ type, state_key, content }: RoomEvent['event'], sender: string): EventDraft {
  return { type, state_key: state_key ?? '', sender, content };
}

/** Whether the current rules admit an event of the old room, which may be older than the rules. */
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

async function bansOf(deps: Deps, { old, sender }: Upgrade): Promise<readonly EventDraft[]> {
  const drafts: EventDraft[] = [];
  let ids: string[] = [];
  const read = async () => {
    const events = await loadEvents(deps, ids);
    ids = [];
    drafts.push(...events.map((document) => draftOf(toRoomEvent(document).event, sender)));
  };
  const banned = deps.members.find({ room_id: old._id, membership: 'ban' }, { projection: { event_id: 1 } });
  for await (const { event_id } of banned) {
    ids.push(event_id);
    if (ids.length === EVENTS_PER_QUERY) await read();
  }
  await read();
  return drafts;
}

async function childrenOf(deps: Deps, { old, sender }: Upgrade): Promise<readonly EventDraft[]> {
  const drafts: EventDraft[] = [];
  const point = { roomId: old._id, arrival: old.arrival };
  for await (const page of stateAt(deps, point, 'm.space.child')) {
    const children = page
      .map((document) => toRoomEvent(document).event)
      // An event without `via` removes a child.
      .filter(({ content, state_key }) => isRoomId(state_key ?? '') && own(content, 'via') !== undefined);
    drafts.push(...children.map((event) => draftOf(event, sender)));
  }
  return drafts;
}

/** Adds the tombstone to the old room, and raises its power levels, if the sender may change them. */
async function announce(
  deps: Deps,
  view: RoomView,
  { old, sender }: Pick<Upgrade, 'old' | 'sender'>,
  replacement: string,
): Promise<void> {
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
}
