import { ownString } from '@steward/kernel';
import { type EventDraft, joinRuleOf, type RoomEvent, type StateLookup } from './event.ts';
import type { RoomVersion } from './room-versions.ts';

/** The type and key of a state event. */
export type StateKey = readonly [type: string, stateKey: string];

/** The memberships whose authorisation depends on the join rule. */
const MEMBERSHIPS_BY_RULE: ReadonlySet<string | undefined> = new Set(['join', 'invite', 'knock']);

/**
 * The state keys that `authorize` reads for an event, each of them once. A redaction or a change of power levels needs
 * no more than any other event.
 */
export function authStateKeys(event: EventDraft): readonly StateKey[] {
  if (event.type === 'm.room.create') return [['m.room.create', '']];
  const members = new Set([event.sender]);
  let dependsOnRule = false;
  if (event.type === 'm.room.member') {
    if (event.state_key !== undefined) members.add(event.state_key);
    const authoriser = ownString(event.content, 'join_authorised_via_users_server');
    if (authoriser !== undefined) members.add(authoriser);
    dependsOnRule = MEMBERSHIPS_BY_RULE.has(ownString(event.content, 'membership'));
  }
  return [
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
    ...(dependsOnRule ? [['m.room.join_rules', ''] as const] : []),
    ...[...members].map((userId): StateKey => ['m.room.member', userId]),
  ];
}

/** Selects the auth events of an event from the state before it (client-plane.md 4.2). */
export function selectAuthEvents(
  event: EventDraft,
  version: RoomVersion,
  state: StateLookup,
): readonly RoomEvent[] {
  if (event.type === 'm.room.create') return [];
  return authStateKeys(event)
    .filter(([type]) => !(version.hashRoomIds && type === 'm.room.create'))
    .filter(([type, key]) => type !== 'm.room.member' || !isNeedlessAuthoriser(event, key, version, state))
    .map(([type, key]) => state(type, key))
    .filter((selected) => selected !== undefined);
}

/** Whether a user is only named as the authoriser of a join that needs none. */
function isNeedlessAuthoriser(
  event: EventDraft,
  userId: string,
  version: RoomVersion,
  state: StateLookup,
): boolean {
  if (userId === event.sender || userId === event.state_key) return false;
  return !version.restricted || !isRestrictedRule(joinRuleOf(state), version);
}

/** Whether a join rule of a version lets the members of other rooms join. */
export function isRestrictedRule(joinRule: string, version: RoomVersion): boolean {
  if (joinRule === 'restricted') return version.restricted;
  return joinRule === 'knock_restricted' && version.knockRestricted;
}
