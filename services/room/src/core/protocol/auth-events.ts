import { ownString } from '@steward/kernel';
import { type EventDraft, joinRuleOf, type RoomEvent, type StateLookup } from './event.ts';
import type { RoomVersion } from './room-versions.ts';

/** The type and key of a state event. */
export type StateKey = readonly [type: string, stateKey: string];

/** The memberships that depend on the join rule. */
const RULED_MEMBERSHIPS: ReadonlySet<string | undefined> = new Set(['join', 'invite', 'knock']);

/**
 * The places in the state that decide over an event: what `authorize` looks at, each of them once. A
 * redaction or a change of power levels needs no more than any other event.
 */
export function authStateKeys(event: EventDraft): readonly StateKey[] {
  if (event.type === 'm.room.create') return [['m.room.create', '']];
  const members = new Set([event.sender]);
  let ruled = false;
  if (event.type === 'm.room.member') {
    if (event.state_key !== undefined) members.add(event.state_key);
    const authoriser = ownString(event.content, 'join_authorised_via_users_server');
    if (authoriser !== undefined) members.add(authoriser);
    ruled = RULED_MEMBERSHIPS.has(ownString(event.content, 'membership'));
  }
  return [
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
    ...(ruled ? [['m.room.join_rules', ''] as const] : []),
    ...[...members].map((userId): StateKey => ['m.room.member', userId]),
  ];
}

/** The events that an event names as those which permit it, from the state before it (client-plane.md 4.2). */
export function selectAuthEvents(
  event: EventDraft,
  version: RoomVersion,
  state: StateLookup,
): readonly RoomEvent[] {
  if (event.type === 'm.room.create') return [];
  return authStateKeys(event)
    .filter(([type]) => !(version.hashRoomIds && type === 'm.room.create'))
    .filter(([type, key]) => type !== 'm.room.member' || !isIdleAuthoriser(event, key, version, state))
    .map(([type, key]) => state(type, key))
    .filter((selected) => selected !== undefined);
}

/** Whether a member is only named as an authoriser, of a join that needs none. */
function isIdleAuthoriser(
  event: EventDraft,
  userId: string,
  version: RoomVersion,
  state: StateLookup,
): boolean {
  if (userId === event.sender || userId === event.state_key) return false;
  return !version.restricted || !isRestrictedRule(joinRuleOf(state), version);
}

/** Whether a join rule lets the members of other rooms join, in that version. */
export function isRestrictedRule(joinRule: string, version: RoomVersion): boolean {
  if (joinRule === 'restricted') return version.restricted;
  return joinRule === 'knock_restricted' && version.knockRestricted;
}
