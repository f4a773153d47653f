import { own, ownString } from '@steward/kernel';
import { isRestrictedRule } from './auth-events.ts';
import { type Denial, forbidden } from './denial.ts';
import { type EventDraft, isMembership, joinRuleOf, membershipOf, type StateLookup } from './event.ts';
import { creatorsOf, type PowerLevels, powerLevelsOf } from './power-levels.ts';
import type { RoomVersion } from './room-versions.ts';

/** A change of a user's membership, with the state of sender and target. */
interface Transition {
  readonly sender: string;
  readonly target: string;
  /** The membership of the target before; `undefined` if there is none. */
  readonly before: string | undefined;
  readonly senderIsJoined: boolean;
  readonly levels: PowerLevels;
}

/** Returns why a room does not admit a member event; `undefined` if it does (client-plane.md 5.2, 5.3). */
export function authorizeMember(
  event: EventDraft,
  version: RoomVersion,
  state: StateLookup,
): Denial | undefined {
  const target = event.state_key;
  const after = own(event.content, 'membership');
  if (target === undefined) return forbidden('A member event is a state event');
  if (!isMembership(after)) return forbidden('A member event needs a membership');
  const transition: Transition = {
    sender: event.sender,
    target,
    before: membershipOf(state, target),
    senderIsJoined: membershipOf(state, event.sender) === 'join',
    levels: powerLevelsOf(state, version),
  };
  switch (after) {
    case 'join':
      return authorizeJoin(event, transition, version, state);
    case 'invite':
      return authorizeInvite(event, transition);
    case 'leave':
      return authorizeLeave(transition);
    case 'ban':
      return authorizeBan(transition);
    case 'knock':
      return authorizeKnock(transition, version, state);
  }
}

function authorizeJoin(
  event: EventDraft,
  { sender, target, before, levels }: Transition,
  version: RoomVersion,
  state: StateLookup,
): Denial | undefined {
  if (sender !== target) return forbidden('A user cannot make another user join');
  if (before === 'ban') return { refusal: 'badState', message: `${target} is banned from the room` };
  if (before === 'join' || before === 'invite') return undefined;
  if (isFirstJoin(target, version, state)) return undefined;
  const rule = joinRuleOf(state);
  if (rule === 'public') return undefined;
  if (!isRestrictedRule(rule, version)) return forbidden('The room is invite-only');
  const authoriser = ownString(event.content, 'join_authorised_via_users_server');
  if (authoriser === undefined) return forbidden('No member of the room authorises this join');
  const mayAuthorise =
    membershipOf(state, authoriser) === 'join' && levels.ofUser(authoriser) >= levels.toDo('invite');
  return mayAuthorise ? undefined : forbidden('The authoriser of this join may not invite');
}

/** Whether the join follows the creation of the room directly, by the user who created it. */
function isFirstJoin(target: string, version: RoomVersion, state: StateLookup): boolean {
  const create = state('m.room.create', '');
  return (
    create !== undefined &&
    creatorsOf(create, version)[0] === target &&
    state('m.room.member', target) === undefined &&
    state('m.room.power_levels', '') === undefined &&
    state('m.room.join_rules', '') === undefined
  );
}

function authorizeInvite(
  event: EventDraft,
  { sender, target, before, senderIsJoined, levels }: Transition,
): Denial | undefined {
  if (own(event.content, 'third_party_invite') !== undefined) {
    return forbidden('Invitations by third parties are not supported');
  }
  if (!senderIsJoined) return forbidden(`${sender} is not in the room`);
  if (before === 'ban') return { refusal: 'badState', message: `${target} is banned from the room` };
  if (before === 'join') return forbidden(`${target} is in the room already`);
  return requireLevel(levels, sender, 'invite');
}

function authorizeLeave({ sender, target, before, senderIsJoined, levels }: Transition): Denial | undefined {
  if (before === undefined || before === 'leave') return forbidden(`${target} is not in the room`);
  if (sender === target) {
    return before === 'ban' ? forbidden(`${target} is banned from the room`) : undefined;
  }
  if (!senderIsJoined) return forbidden(`${sender} is not in the room`);
  return (
    (before === 'ban' ? requireLevel(levels, sender, 'ban') : undefined) ??
    requireLevel(levels, sender, 'kick') ??
    requireHigherLevel(levels, sender, target)
  );
}

function authorizeBan({ sender, target, senderIsJoined, levels }: Transition): Denial | undefined {
  if (!senderIsJoined) return forbidden(`${sender} is not in the room`);
  return requireLevel(levels, sender, 'ban') ?? requireHigherLevel(levels, sender, target);
}

function authorizeKnock(
  { sender, target, before }: Transition,
  version: RoomVersion,
  state: StateLookup,
): Denial | undefined {
  if (sender !== target) return forbidden('A user cannot make another user knock');
  const rule = joinRuleOf(state);
  const isOpen =
    (rule === 'knock' && version.knock) || (rule === 'knock_restricted' && version.knockRestricted);
  if (!isOpen) return forbidden('This room does not admit knocks');
  if (before === 'ban' || before === 'invite' || before === 'join') {
    return forbidden(`The membership of ${target} is ${before}`);
  }
  return undefined;
}

function requireLevel(
  levels: PowerLevels,
  userId: string,
  action: 'ban' | 'invite' | 'kick',
): Denial | undefined {
  const needed = levels.toDo(action);
  return levels.ofUser(userId) >= needed
    ? undefined
    : forbidden(`It takes a power level of ${needed} to ${action}`);
}

function requireHigherLevel(levels: PowerLevels, userId: string, than: string): Denial | undefined {
  return levels.ofUser(than) < levels.ofUser(userId)
    ? undefined
    : forbidden(`${than} has as high a power level`);
}
