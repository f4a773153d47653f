import { describe, expect, it } from 'vitest';
import { authorizeMember } from './authorize-member.ts';
import type { RoomEvent } from './event.ts';
import {
  ALICE,
  BOB,
  CREATOR,
  create,
  draft,
  member,
  state,
  stateOf,
  version,
} from './fixtures/room-state.ts';

/** Alice may do everything to Bob, who may do nothing. */
const levels = state('m.room.power_levels', { users: { [ALICE]: 50 }, invite: 10 });
const joinRules = (join_rule: string) => state('m.room.join_rules', { join_rule });

interface Case {
  readonly sender?: string;
  readonly n?: number;
  readonly content?: Record<string, unknown>;
  readonly more?: readonly RoomEvent[];
}

/** The outcome of a change of Bob's membership: `ok` or the refusal. */
function outcome(
  before: string | undefined,
  after: string,
  { sender = ALICE, n = 10, content = {}, more = [] }: Case = {},
): string {
  const events = stateOf(
    create(version(n)),
    levels,
    joinRules('public'),
    member(ALICE, 'join'),
    ...(before === undefined ? [] : [member(BOB, before)]),
    ...more,
  );
  const event = draft({
    type: 'm.room.member',
    state_key: BOB,
    sender,
    content: { ...content, membership: after },
  });
  return authorizeMember(event, version(n), events)?.refusal ?? 'ok';
}

describe('a change of the own membership in a public room', () => {
  it.each<[string | undefined, string, string, string, string, string]>([
    // The membership before, and the outcomes of: join, invite, leave, ban, knock.
    [undefined, 'ok', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
    ['leave', 'ok', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
    ['invite', 'ok', 'forbidden', 'ok', 'forbidden', 'forbidden'],
    ['join', 'ok', 'forbidden', 'ok', 'forbidden', 'forbidden'],
    ['knock', 'ok', 'forbidden', 'ok', 'forbidden', 'forbidden'],
    ['ban', 'badState', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  ])('from %s', (before, ...outcomes) => {
    const memberships = ['join', 'invite', 'leave', 'ban', 'knock'];
    // A banned user's invitation is refused because the sender is not in the room, not because of the ban.
    expect(memberships.map((after) => outcome(before, after, { sender: BOB }))).toEqual(outcomes);
  });
});

describe('a change of the membership of a less powerful user', () => {
  it.each<[string | undefined, string, string, string, string, string]>([
    [undefined, 'forbidden', 'ok', 'forbidden', 'ok', 'forbidden'],
    ['leave', 'forbidden', 'ok', 'forbidden', 'ok', 'forbidden'],
    ['invite', 'forbidden', 'ok', 'ok', 'ok', 'forbidden'],
    ['join', 'forbidden', 'forbidden', 'ok', 'ok', 'forbidden'],
    ['knock', 'forbidden', 'ok', 'ok', 'ok', 'forbidden'],
    ['ban', 'forbidden', 'badState', 'ok', 'ok', 'forbidden'],
  ])('from %s', (before, ...outcomes) => {
    const memberships = ['join', 'invite', 'leave', 'ban', 'knock'];
    expect(memberships.map((after) => outcome(before, after))).toEqual(outcomes);
  });

  it.each(['invite', 'leave', 'ban'])('to %s requires that the sender is in the room', (after) => {
    expect(outcome('invite', after, { more: [member(ALICE, 'leave')] })).toBe('forbidden');
  });

  it.each([
    ['knock', 'invite', { invite: 51 }],
    ['join', 'leave', { kick: 51 }],
    ['join', 'ban', { ban: 51 }],
    ['ban', 'leave', { ban: 51 }],
    ['ban', 'leave', { kick: 51 }],
    ['join', 'leave', { users: { [ALICE]: 50, [BOB]: 50 } }],
    ['join', 'ban', { users: { [ALICE]: 50, [BOB]: 50 } }],
    ['ban', 'leave', { users: { [ALICE]: 50, [BOB]: 50 } }],
  ])('from %s to %s is refused with %j', (before, after, content) => {
    const more = [state('m.room.power_levels', { users: { [ALICE]: 50 }, ...content })];
    expect(outcome(before, after, { more })).toBe('forbidden');
  });

  it('in version 12 creators are above all levels, and cannot act on each other', () => {
    const more = [
      state('m.room.power_levels', { users: { [BOB]: 1_000 }, ban: 2_000 }),
      member(CREATOR, 'join'),
    ];
    expect(outcome('join', 'ban', { n: 12, sender: CREATOR, more })).toBe('ok');
    const both = create(version(12), { additional_creators: [BOB] });
    expect(outcome('join', 'ban', { n: 12, sender: CREATOR, more: [...more, both] })).toBe('forbidden');
  });
});

describe('a user who was not invited', () => {
  it.each([
    ['public', 1, 'ok'],
    ['invite', 12, 'forbidden'],
    ['private', 12, 'forbidden'],
    ['knock', 12, 'forbidden'],
    ['restricted', 12, 'forbidden'],
    ['something', 12, 'forbidden'],
  ])('joins under the rule %s in version %i: %s', (rule, n, expected) => {
    expect(outcome('leave', 'join', { sender: BOB, n, more: [joinRules(rule)] })).toBe(expected);
    expect(outcome('invite', 'join', { sender: BOB, n, more: [joinRules(rule)] })).toBe('ok');
    expect(outcome('join', 'join', { sender: BOB, n, more: [joinRules(rule)] })).toBe('ok');
  });

  it('does not join without a join rule', () => {
    const more = [state('m.room.join_rules', {})];
    expect(outcome('leave', 'join', { sender: BOB, more })).toBe('forbidden');
  });

  it.each([
    ['restricted', 8],
    ['knock_restricted', 10],
  ])('joins under the rule %s with an authoriser since version %i', (rule, since) => {
    const join = (n: number, authoriser: string, ...more: RoomEvent[]) =>
      outcome('leave', 'join', {
        sender: BOB,
        n,
        content: { join_authorised_via_users_server: authoriser },
        more: [joinRules(rule), ...more],
      });
    expect(join(since, ALICE)).toBe('ok');
    expect(join(since - 1, ALICE)).toBe('forbidden');
    expect(join(since, CREATOR)).toBe('forbidden');
    expect(join(since, CREATOR, member(CREATOR, 'join'))).toBe('forbidden');
    expect(join(since, ALICE, member(BOB, 'ban'))).toBe('badState');
  });

  it.each([
    ['knock', 7],
    ['knock_restricted', 10],
  ])('knocks under the rule %s since version %i', (rule, since) => {
    const knock = (n: number, before?: string) =>
      outcome(before, 'knock', { sender: BOB, n, more: [joinRules(rule)] });
    expect(knock(since)).toBe('ok');
    expect(knock(since, 'leave')).toBe('ok');
    expect(knock(since, 'knock')).toBe('ok');
    expect(knock(since - 1)).toBe('forbidden');
    for (const before of ['invite', 'join', 'ban']) expect(knock(since, before)).toBe('forbidden');
  });
});

describe('the first join', () => {
  const join = (userId: string, n: number, ...events: RoomEvent[]) =>
    authorizeMember(
      draft({ type: 'm.room.member', state_key: userId, sender: userId, content: { membership: 'join' } }),
      version(n),
      stateOf(create(version(n)), ...events),
    )?.refusal ?? 'ok';

  it.each([1, 10, 11, 12])('the first join is allowed to the creator only in version %i', (n) => {
    expect(join(CREATOR, n)).toBe('ok');
    expect(join(ALICE, n)).toBe('forbidden');
    expect(join(CREATOR, n, state('m.room.power_levels', {}))).toBe('forbidden');
    expect(join(CREATOR, n, member(CREATOR, 'leave'))).toBe('forbidden');
    expect(join(CREATOR, n, member(CREATOR, 'ban'))).toBe('badState');
  });
});

it('a member event is refused without state key, and with an invalid membership', () => {
  const before = stateOf(create(version(10)), member(ALICE, 'join'));
  const judge = (given: object) =>
    authorizeMember(draft({ type: 'm.room.member', ...given }), version(10), before)?.refusal;
  expect(judge({ content: { membership: 'join' } })).toBe('forbidden');
  for (const membership of [undefined, 1, 'toString', null]) {
    expect(judge({ state_key: ALICE, content: { membership } })).toBe('forbidden');
  }
});

it('an invitation by a third party is refused', () => {
  expect(outcome('leave', 'invite', { content: { third_party_invite: { signed: {} } } })).toBe('forbidden');
});
