import { refuse } from '@steward/errors';
import { isObject, type JsonObject, own } from '@steward/kernel';
import type { EventDraft } from './event.ts';
import { ID_MAX_BYTES, isNewAliasLocalpart, isUserId, serverNameOf } from './ids.ts';
import { memberContent, type Profile } from './membership-action.ts';
import { findRoomVersion, type RoomVersion } from './room-versions.ts';

/** A request to create a room (client-plane.md 7.8), with the JSON of its objects parsed. */
export interface RoomRequest {
  readonly preset?: string;
  readonly visibility?: string;
  readonly roomVersion?: string;
  readonly aliasName?: string;
  readonly name?: string;
  readonly topic?: string;
  readonly invite?: readonly string[];
  readonly invite3pid?: readonly unknown[];
  readonly creationContent?: JsonObject;
  readonly initialState?: readonly unknown[];
  readonly powerLevelContentOverride?: JsonObject;
  readonly isDirect?: boolean;
}

/** The context of a room's creation. */
export interface RoomPlanContext {
  readonly creator: string;
  readonly creatorProfile: Profile;
  readonly serverName: string;
  readonly defaultRoomVersion: string;
}

/** The plan of a new room. */
export interface RoomPlan {
  readonly version: RoomVersion;
  /** Whether the directory lists it. */
  readonly isPublic: boolean;
  /** The alias to reserve for the room before its events are added. */
  readonly alias: string | undefined;
  /** The events in their order, the create event first, all by the creator; invitations follow them. */
  readonly drafts: readonly EventDraft[];
  /** The users to invite, each once; for their member events see `inviteDraft`. */
  readonly invite: readonly string[];
  readonly isDirect: boolean;
}

/** The settings of a preset. */
interface Preset {
  readonly joinRule: 'invite' | 'public';
  /** Whether guests may join. */
  readonly guests: boolean;
  /** The level required to invite. */
  readonly invite: number;
  /** Whether invited users get the level of the creator. */
  readonly trusted: boolean;
}

const PRESETS: Readonly<Record<string, Preset>> = {
  private_chat: { joinRule: 'invite', guests: true, invite: 0, trusted: false },
  trusted_private_chat: { joinRule: 'invite', guests: true, invite: 0, trusted: true },
  public_chat: { joinRule: 'public', guests: false, invite: 50, trusted: false },
};

const CREATOR_LEVEL = 100;
/** Above the level of administrators, because only creators may upgrade the room. */
const TOMBSTONE_LEVEL_BELOW_CREATORS = 150;

const THIRD_PARTY_INVITE_KEYS = ['id_server', 'id_access_token', 'medium', 'address'];

/** The levels of single event types in a new room. */
const EVENT_LEVELS = {
  'm.room.name': 50,
  'm.room.power_levels': 100,
  'm.room.history_visibility': 100,
  'm.room.canonical_alias': 50,
  'm.room.avatar': 50,
  'm.room.tombstone': 100,
  'm.room.server_acl': 100,
  'm.room.encryption': 100,
};

/**
 * Plans the events of a new room in their specified order (client-plane.md 7.8). The caller validates, authorises and
 * builds them one by one.
 *
 * @throws the refusals of client-plane.md 7.8
 */
export function planRoom(request: RoomRequest, context: RoomPlanContext): RoomPlan {
  const { creator } = context;
  const version = chooseVersion(request.roomVersion ?? context.defaultRoomVersion);
  const isPublic = readVisibility(request.visibility);
  const preset = choosePreset(request.preset ?? (isPublic ? 'public_chat' : 'private_chat'));
  checkThirdPartyInvites(request.invite3pid ?? []);
  const alias = request.aliasName === undefined ? undefined : newAlias(request.aliasName, context.serverName);
  const invite = readInvitees(request.invite ?? [], context.serverName);
  const trusted = preset.trusted ? invite : [];
  checkOverride(request.powerLevelContentOverride, creator, version);
  const state = new PlannedState(creator);

  state.set('m.room.create', '', createContent(request.creationContent ?? {}, creator, version, trusted));
  state.set('m.room.member', creator, memberContent('join', context.creatorProfile));
  const given = readInitialState(request.initialState ?? []);
  const levels = given.find(isPowerLevels);
  state.set(
    'm.room.power_levels',
    '',
    levels?.content ?? {
      ...defaultLevels(preset, creator, version, trusted),
      ...request.powerLevelContentOverride,
    },
  );
  const isGiven = (type: string) => given.some((item) => item.type === type && item.stateKey === '');
  const setUnlessGiven = (type: string, content: JsonObject) => {
    if (!isGiven(type)) state.set(type, '', content);
  };
  if (alias !== undefined) setUnlessGiven('m.room.canonical_alias', { alias });
  setUnlessGiven('m.room.join_rules', { join_rule: preset.joinRule });
  setUnlessGiven('m.room.history_visibility', { history_visibility: 'shared' });
  if (preset.guests) setUnlessGiven('m.room.guest_access', { guest_access: 'can_join' });
  for (const item of given) if (item !== levels) state.set(item.type, item.stateKey, item.content);
  if (request.name !== undefined) state.set('m.room.name', '', { name: request.name });
  if (request.topic !== undefined) state.set('m.room.topic', '', topicContent(request.topic));
  return { version, isPublic, alias, drafts: state.drafts, invite, isDirect: request.isDirect ?? false };
}

/** The event that invites a user to a new room. */
export function inviteDraft(
  creator: string,
  invitee: string,
  profile: Profile,
  isDirect: boolean,
): EventDraft {
  return {
    type: 'm.room.member',
    state_key: invitee,
    sender: creator,
    content: memberContent('invite', profile, isDirect ? { is_direct: true } : {}),
  };
}

/** The content of a topic event, in the form for old clients and in that for new ones. */
export function topicContent(topic: string): JsonObject {
  return { topic, 'm.topic': { 'm.text': [{ body: topic }] } };
}

/** Collects the state events of one sender in order. */
class PlannedState {
  readonly drafts: EventDraft[] = [];
  readonly #sender: string;

  constructor(sender: string) {
    this.#sender = sender;
  }

  set(type: string, stateKey: string, content: JsonObject): void {
    this.drafts.push({ type, state_key: stateKey, sender: this.#sender, content });
  }
}

function chooseVersion(id: string): RoomVersion {
  const version = findRoomVersion(id);
  if (version === undefined) throw refuse.unsupportedRoomVersion('This room version is not supported');
  return version;
}

function readVisibility(visibility = 'private'): boolean {
  if (visibility !== 'public' && visibility !== 'private') {
    throw refuse.badJson("'visibility' must be public or private");
  }
  return visibility === 'public';
}

function choosePreset(name: string): Preset {
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (preset === undefined) throw refuse.badJson('There is no such preset');
  return preset;
}

function newAlias(localpart: string, serverName: string): string {
  const alias = `#${localpart}:${serverName}`;
  if (!isNewAliasLocalpart(localpart)) {
    throw refuse.invalidParam("'room_alias_name' must be neither empty nor hold white space or colons");
  }
  if (Buffer.byteLength(alias) > ID_MAX_BYTES) {
    throw refuse.invalidParam(`An alias has at most ${ID_MAX_BYTES} bytes`);
  }
  return alias;
}

function readInvitees(invite: readonly string[], serverName: string): readonly string[] {
  for (const userId of invite) {
    if (!isUserId(userId)) throw refuse.invalidParam("'invite' contains a text that is not a user id");
  }
  if (invite.some((userId) => serverNameOf(userId) !== serverName)) {
    throw refuse.forbidden('Users of other servers cannot be invited');
  }
  return [...new Set(invite)];
}

function checkThirdPartyInvites(invites: readonly unknown[]): void {
  for (const invite of invites) {
    if (!isObject(invite)) throw refuse.badJson("'invite_3pid' must be a list of objects");
    const missing = THIRD_PARTY_INVITE_KEYS.find((key) => own(invite, key) === undefined);
    if (missing !== undefined) throw refuse.missingParam(`'invite_3pid' needs '${missing}'`);
  }
  if (invites.length > 0) throw refuse.forbidden('Invitations by third parties are not supported');
}

function checkOverride(override: JsonObject | undefined, creator: string, version: RoomVersion): void {
  const users = own(override, 'users');
  if (users === undefined || version.creatorsAboveLevels || own(users, creator) !== undefined) return;
  throw refuse.unknown("'power_level_content_override' takes the creator's power away");
}

function createContent(
  given: JsonObject,
  creator: string,
  version: RoomVersion,
  trusted: readonly string[],
): JsonObject {
  const content = {
    ...given,
    room_version: version.id,
    ...(version.implicitCreator ? {} : { creator }),
  };
  if (!version.creatorsAboveLevels) return content;
  const additional = own(given, 'additional_creators') ?? [];
  if (!Array.isArray(additional) || !additional.every((id) => typeof id === 'string' && isUserId(id))) {
    throw refuse.badJson("'additional_creators' must be a list of user ids");
  }
  const all = [...new Set<string>([...additional, ...trusted])].filter((userId) => userId !== creator);
  return all.length === 0 ? omit(content, 'additional_creators') : { ...content, additional_creators: all };
}

function omit(value: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = value;
  return rest;
}

function defaultLevels(
  preset: Preset,
  creator: string,
  version: RoomVersion,
  trusted: readonly string[],
): JsonObject {
  const powerful = version.creatorsAboveLevels ? [] : [creator, ...trusted];
  return {
    users: Object.fromEntries(powerful.map((userId) => [userId, CREATOR_LEVEL])),
    users_default: 0,
    events: {
      ...EVENT_LEVELS,
      ...(version.creatorsAboveLevels ? { 'm.room.tombstone': TOMBSTONE_LEVEL_BELOW_CREATORS } : {}),
    },
    events_default: 0,
    state_default: 50,
    ban: 50,
    kick: 50,
    redact: 50,
    invite: preset.invite,
    historical: 100,
  };
}

/** A state event of a creation request. */
interface GivenState {
  readonly type: string;
  readonly stateKey: string;
  readonly content: JsonObject;
}

function isPowerLevels({ type, stateKey }: GivenState): boolean {
  return type === 'm.room.power_levels' && stateKey === '';
}

/** Reads the initial state; of events with the same type and key, the last one takes the position of the first. */
function readInitialState(items: readonly unknown[]): readonly GivenState[] {
  const given = new Map<string, GivenState>();
  for (const item of items) {
    const type = own(item, 'type');
    const stateKey = own(item, 'state_key') ?? '';
    const content = own(item, 'content');
    if (typeof type !== 'string' || typeof stateKey !== 'string' || !isObject(content)) {
      throw refuse.badJson("'initial_state' must be a list of events with type and content");
    }
    // Its invitations would escape the limits of 'invite', and reach others from shadow-banned users.
    if (type === 'm.room.member') throw refuse.badJson("'initial_state' must not hold member events");
    given.set(JSON.stringify([type, stateKey]), { type, stateKey, content });
  }
  return [...given.values()];
}
