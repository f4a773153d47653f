import { refuse } from '@steward/errors';
import { type JsonObject, own } from '@steward/kernel';
import type { Requester } from '@steward/rpc';
import { append } from '../aggregate/append.ts';
import { rooms } from '../aggregate/rooms.ts';
import { refuseBeingDeleted } from '../deletion/refuse-being-deleted.ts';
import type { Deps } from '../deps.ts';
import type { ProfileKey } from '../model/event-document.ts';
import { GUEST_KIND } from '../model/guest.ts';
import { isPresent, memberId } from '../model/member.ts';
import { isNoticesAccount, refuseEntry, refuseNoticesAccount } from '../notices/notice-rooms.ts';
import {
  type AllowingRoom,
  denyGuestJoin,
  denyMembershipAction,
  denyRestrictedJoin,
  findRoomVersion,
  isMembership,
  listedAuthorisers,
  type Membership,
  type MembershipAction,
  mayAuthoriseJoin,
  memberContent,
  type Profile,
  type RoomVersion,
  refuseDenied,
  roomsThatAllow,
  type StateLookup,
  serverNameOf,
  validateGivenMember,
} from '../protocol/mod.ts';
import type { AppendOptions } from '../queues/append-job.ts';
import { refuseBlocked } from '../refusals/refuse-blocked.ts';
import type { RoomView, SendOptions, Sent } from '../view/room-view.ts';
import { type MembershipLimits, membershipLimits } from './membership-limits.ts';

/** The most members among whom an authoriser of a join is searched. */
const AUTHORISER_CANDIDATES = 100;

const PROFILE_KEYS: readonly ProfileKey[] = ['displayname', 'avatar_url'];

/** A change of a user's membership. */
export interface MembershipChange {
  readonly roomId: string;
  readonly sender: string;
  readonly target: string;
  readonly membership: Membership;
  /** The content apart from the membership, as the client gave it. */
  readonly given?: JsonObject;
  /** The endpoint's action, where the membership alone is ambiguous. */
  readonly action?: MembershipAction;
}

/** A change that a client requests. */
export interface RequestedChange extends Omit<MembershipChange, 'sender'> {
  readonly caller: Requester;
}

/** The part of a requested change that depends on who requests it. */
interface Request {
  readonly limits: MembershipLimits;
  /** Whether the target joins as a guest of this server. */
  readonly isGuest: boolean;
  /** Whether a join of a current member changes nothing, so that others do not see what a shadow-banned user gives. */
  readonly keepsProfile: boolean;
}

/**
 * Changes a user's membership as a client requests it. The content that a shadow-banned user gives is dropped
 * (client-plane.md 8.3).
 *
 * @returns the id of the member event, which may have existed before
 * @throws the refusal of the given content; limitExceeded; the refusal of the first rule of the room that does not admit it
 */
export async function requestMembership(
  deps: Deps,
  { caller, given = {}, ...rest }: RequestedChange,
  options: AppendOptions,
): Promise<string> {
  validateGivenMember(given);
  const change = { ...rest, sender: caller.userId, given: caller.shadowBanned ? {} : given };
  return commitChange(deps, change, options, {
    limits: membershipLimits(deps, caller, change),
    isGuest: caller.guest && change.membership === 'join',
    keepsProfile: caller.shadowBanned,
  });
}

async function commitChange(
  deps: Deps,
  change: MembershipChange,
  options: AppendOptions,
  request: Request,
): Promise<string> {
  const { roomId, target, membership } = change;
  // A join, an invitation or a knock requires a room that is not blocked, and shows the profile.
  const entering = isPresent(membership);
  if (entering) await refuseBlocked(deps, roomId);
  const account = entering ? await accountOf(deps, target) : NO_ACCOUNT;
  const { eventId } = await append(
    deps,
    roomId,
    (view) => addMember(deps, view, change, { account, request }),
    options,
  );
  return eventId;
}

/** The part of a user's account that member events depend on. */
export interface MemberAccount {
  readonly profile: Profile;
  readonly deactivated: boolean;
  readonly guest: boolean;
}

/** The account of a user of another server; also that of a user who leaves, on which nothing depends. */
const NO_ACCOUNT: MemberAccount = { profile: {}, deactivated: false, guest: false };

/** The current account of a user; empty for a user of another server. */
export async function accountOf(deps: Deps, userId: string): Promise<MemberAccount> {
  if (serverNameOf(userId) !== deps.serverName) return NO_ACCOUNT;
  const { displayname, avatarUrl, deactivated, guest } =
    (await deps.users.profiles([userId])).get(userId) ?? {};
  const profile = { displayName: displayname ?? null, avatarUrl: avatarUrl ?? null };
  return { profile, deactivated: deactivated ?? false, guest: guest ?? false };
}

/** The profile that member events of a user show. */
export async function profileOf(deps: Deps, userId: string): Promise<Profile> {
  return (await accountOf(deps, userId)).profile;
}

/** What a change of a membership depends on besides the room. */
interface MemberOptions {
  /** The account of the target; required where the target enters the room. */
  readonly account?: MemberAccount | undefined;
  readonly request?: Request | undefined;
  readonly send?: SendOptions;
}

/**
 * Adds the event of a change, if the rules of the room admit it.
 *
 * @throws the refusal of the first rule that does not admit it
 */
export async function addMember(
  deps: Deps,
  view: RoomView,
  change: MembershipChange,
  { account: { profile, deactivated } = NO_ACCOUNT, request, send }: MemberOptions,
): Promise<Sent> {
  const { roomId, sender, target, membership, given, action } = change;
  const version = findRoomVersion(view.room.room_version);
  if (!version) throw refuse.forbidden('This server does not support the version of the room');
  // Checked again: the room may have been blocked while the job waited.
  if (isPresent(membership)) await refuseBlocked(deps, roomId);
  const current = await view.state('m.room.member', target);
  const before = await view.membership(target);
  // Only a member event with the same membership can repeat the current one, which is not counted.
  if (before !== membership) request?.limits.attempt(before);
  if (membership === 'join' && before !== 'join') await refuseBeingDeleted(deps, roomId);
  if (current && request?.keepsProfile && membership === 'join' && before === 'join')
    return { eventId: current.eventId, existed: true };
  if (action) refuseDenied(denyMembershipAction(action, isMembership(before) ? before : undefined));
  if (membership === 'invite') {
    if (serverNameOf(target) !== deps.serverName) {
      throw refuse.forbidden('Users of other servers cannot be invited');
    }
    await refuseNoticesAccount(deps, target);
  }
  if (membership !== before && isPresent(membership) && !(membership === 'join' && before === 'invite')) {
    await refuseEntry(deps, view.room);
  }
  if (membership === 'leave' && sender === target && before === 'invite') {
    if (current && (await isNoticesAccount(deps, current.event.sender))) {
      throw refuse.noticeRoom('Invitations to the room of server notices cannot be rejected');
    }
  }
  let authoriser: string | undefined;
  if (membership === 'join' && sender === target) {
    if (request?.isGuest && before !== 'join') {
      refuseDenied(denyGuestJoin(await view.lookup([['m.room.guest_access', '']])));
    }
    authoriser = await findAuthoriser(deps, view, target, version);
  }
  const content = memberContent(membership, profile, given, authoriser);
  const guest = request?.isGuest ? GUEST_KIND : {};
  const draft = { type: 'm.room.member', state_key: target, sender, content: { ...content, ...guest } };
  const toDeactivated = membership === 'invite' && deactivated;
  if (!(await view.repeats(draft))) request?.limits.attempt(before);
  const ownProfile = membership === 'join' && sender === target ? chosenFor(given, profile) : [];
  const sent = await view.add(draft, { ...send, toDeactivated, ownProfile });
  if (!sent.existed) request?.limits.admit(before);
  return sent;
}

/** What of a profile the content of a member event sets otherwise. */
function chosenFor(given: JsonObject = {}, { displayName, avatarUrl }: Profile): readonly ProfileKey[] {
  const profile = { displayname: displayName ?? null, avatar_url: avatarUrl ?? null };
  return PROFILE_KEYS.filter((key) => own(given, key) !== undefined && own(given, key) !== profile[key]);
}

/** The member who authorises a restricted join; `undefined` for any other join (client-plane.md 5.3). */
async function findAuthoriser(
  deps: Deps,
  view: RoomView,
  userId: string,
  version: RoomVersion,
): Promise<string | undefined> {
  const state = await view.lookup([
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
    ['m.room.join_rules', ''],
    ['m.room.member', userId],
  ]);
  const allowing = roomsThatAllow(userId, version, state);
  if (!allowing) return undefined;
  const allowingRooms = await findAllowing(deps, allowing, userId);
  const authoriser = await findEligibleMember(deps, view, version, state);
  refuseDenied(denyRestrictedJoin(allowingRooms, authoriser));
  return authoriser;
}

async function findAllowing(
  deps: Deps,
  roomIds: readonly string[],
  userId: string,
): Promise<readonly AllowingRoom[]> {
  const found = await deps.rooms.find({ _id: { $in: roomIds } }).toArray();
  for (const room of found) await rooms.applyPending(deps, room);
  const ids = found.map(({ _id }) => memberId(_id, userId));
  const joined = await deps.members.find({ _id: { $in: ids }, membership: 'join' }).toArray();
  const joinedTo = new Set(joined.map(({ room_id }) => room_id));
  const known = new Set(found.map(({ _id }) => _id));
  return roomIds.map((id) => ({ isKnown: known.has(id), isJoined: joinedTo.has(id) }));
}

/** A member who may authorise joins: preferably one that the power levels list, else any local member. */
async function findEligibleMember(
  deps: Deps,
  view: RoomView,
  version: RoomVersion,
  state: StateLookup,
): Promise<string | undefined> {
  for (const userId of listedAuthorisers(version, state, deps.serverName)) {
    if ((await view.membership(userId)) === 'join') return userId;
  }
  const others = deps.members.find(
    { room_id: view.room._id, membership: 'join', local: true },
    { limit: AUTHORISER_CANDIDATES },
  );
  for (const { user_id: userId } of await others.toArray()) {
    const known = await view.lookup([
      ['m.room.create', ''],
      ['m.room.power_levels', ''],
      ['m.room.member', userId],
    ]);
    if (mayAuthoriseJoin(userId, version, known)) return userId;
  }
  return undefined;
}
