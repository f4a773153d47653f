import { describe, expect, it } from 'vitest';
import { isRestrictedRule, selectAuthEvents } from './auth-events.ts';
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

const memberDraft = (content: Record<string, unknown>, sender = ALICE) =>
  draft({ type: 'm.room.member', state_key: BOB, sender, content });

/** The types of the selected auth events; for members the state key. */
function selected(event: ReturnType<typeof draft>, n: number, joinRule = 'restricted'): readonly string[] {
  const all = stateOf(
    create(version(n)),
    state('m.room.power_levels', {}),
    state('m.room.join_rules', { join_rule: joinRule }),
    state('m.room.name', { name: 'a' }),
    member(ALICE, 'join'),
    member(BOB, 'invite'),
    member(CREATOR, 'join'),
  );
  return selectAuthEvents(event, version(n), all).map(({ event }) =>
    event.type === 'm.room.member' ? (event.state_key ?? '') : event.type.slice('m.room.'.length),
  );
}

describe('the auth events of an event are', () => {
  it.each<[string, ReturnType<typeof draft>, number, string[]]>([
    ['none for a creation', draft({ type: 'm.room.create', state_key: '' }), 10, []],
    ['the usual three', draft(), 11, ['create', 'power_levels', ALICE]],
    ['two in version 12', draft(), 12, ['power_levels', ALICE]],
    [
      'the target, and the join rules for an invite',
      memberDraft({ membership: 'invite' }),
      10,
      ['create', 'power_levels', 'join_rules', ALICE, BOB],
    ],
    [
      'the join rules for a join',
      memberDraft({ membership: 'join' }, BOB),
      10,
      ['create', 'power_levels', 'join_rules', BOB],
    ],
    [
      'the join rules for a knock',
      memberDraft({ membership: 'knock' }, BOB),
      10,
      ['create', 'power_levels', 'join_rules', BOB],
    ],
    [
      'the target alone for a leave',
      memberDraft({ membership: 'leave' }),
      10,
      ['create', 'power_levels', ALICE, BOB],
    ],
    [
      'the target alone for a ban',
      memberDraft({ membership: 'ban' }),
      10,
      ['create', 'power_levels', ALICE, BOB],
    ],
    [
      'who vouches',
      memberDraft({ membership: 'join', join_authorised_via_users_server: CREATOR }, BOB),
      8,
      ['create', 'power_levels', 'join_rules', BOB, CREATOR],
    ],
    [
      'not who vouches before version 8',
      memberDraft({ membership: 'join', join_authorised_via_users_server: CREATOR }, BOB),
      7,
      ['create', 'power_levels', 'join_rules', BOB],
    ],
  ])('%s', (_, event, n, names) => expect(selected(event, n)).toEqual(names));

  it('without the authoriser of a join that needs none', () => {
    const event = memberDraft({ membership: 'join', join_authorised_via_users_server: CREATOR }, BOB);
    expect(selected(event, 10, 'public')).not.toContain(CREATOR);
  });

  it('only existing state events', () => {
    expect(selectAuthEvents(draft(), version(10), stateOf())).toEqual([]);
  });
});

it.each([
  ['restricted', 8],
  ['knock_restricted', 10],
])('%s is a rule since version %i', (rule, since) => {
  expect(isRestrictedRule(rule, version(since - 1))).toBe(false);
  expect(isRestrictedRule(rule, version(since))).toBe(true);
});
