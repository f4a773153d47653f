import { describe, expect, it } from 'vitest';
import {
  ALICE,
  BOB,
  CREATOR,
  create,
  member,
  SERVER_NAME,
  state,
  stateOf,
  version,
} from './fixtures/room-state.ts';
import { denyRestrictedJoin, mayVouch, namedAuthorisers, roomsThatAllow } from './restricted-join.ts';

const allow = (...rooms: unknown[]) => state('m.room.join_rules', { join_rule: 'restricted', allow: rooms });
const room = (room_id: string) => ({ type: 'm.room_membership', room_id });

describe('the rooms that allow a join', () => {
  it('are those of its rule, each once', () => {
    const rule = allow(
      room('!a:b'),
      { type: 'other', room_id: '!c:d' },
      null,
      1,
      { type: 'm.room_membership' },
      room('!a:b'),
      room('!e:f'),
    );
    expect(roomsThatAllow(BOB, version(8), stateOf(rule))).toEqual(['!a:b', '!e:f']);
  });

  it.each([undefined, 'a', {}, null])('are none in %j', (rooms) => {
    const rule = state('m.room.join_rules', { join_rule: 'restricted', allow: rooms });
    expect(roomsThatAllow(BOB, version(8), stateOf(rule))).toEqual([]);
  });

  it('are at most a hundred', () => {
    const rule = allow(...Array.from({ length: 500 }, (_, n) => room(`!${n}:b`)));
    expect(roomsThatAllow(BOB, version(8), stateOf(rule))).toHaveLength(100);
  });

  it.each(['join', 'invite', 'ban'])('are not asked about the membership %s', (membership) => {
    expect(
      roomsThatAllow(BOB, version(8), stateOf(allow(room('!a:b')), member(BOB, membership))),
    ).toBeUndefined();
  });

  it.each(['leave', 'knock'])('are asked about the membership %s', (membership) => {
    expect(roomsThatAllow(BOB, version(8), stateOf(allow(), member(BOB, membership)))).toEqual([]);
  });

  it('are asked about under no other rule', () => {
    expect(roomsThatAllow(BOB, version(7), stateOf(allow(room('!a:b'))))).toBeUndefined();
    expect(roomsThatAllow(BOB, version(8), stateOf())).toBeUndefined();
  });
});

describe('those who may vouch', () => {
  const levels = state('m.room.power_levels', {
    users: { [ALICE]: 10, [BOB]: 50, '@low:test': 9, '@remote:other': 100 },
    invite: 10,
  });

  it('are named by the power levels, the most powerful first', () => {
    expect(namedAuthorisers(version(8), stateOf(create(version(8)), levels), SERVER_NAME)).toEqual([
      BOB,
      ALICE,
    ]);
    expect(namedAuthorisers(version(12), stateOf(create(version(12)), levels), SERVER_NAME)).toEqual([
      CREATOR,
      BOB,
      ALICE,
    ]);
    expect(namedAuthorisers(version(8), stateOf(create(version(8))), SERVER_NAME)).toEqual([CREATOR]);
  });

  it('are joined, and may invite', () => {
    const before = stateOf(
      create(version(8)),
      levels,
      member(ALICE, 'join'),
      member(BOB, 'leave'),
      member('@low:test', 'join'),
    );
    expect([ALICE, BOB, '@low:test', CREATOR].map((userId) => mayVouch(userId, version(8), before))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

it.each([
  ['nothing', [{ isKnown: true, isJoined: true }], ALICE, undefined],
  [
    'nothing where one of many allows it',
    [
      { isKnown: false, isJoined: false },
      { isKnown: true, isJoined: true },
    ],
    ALICE,
    undefined,
  ],
  ['that nobody may vouch', [{ isKnown: true, isJoined: true }], undefined, 'unableToGrantJoin'],
  [
    'no membership',
    [
      { isKnown: true, isJoined: false },
      { isKnown: false, isJoined: false },
    ],
    ALICE,
    'forbidden',
  ],
  ['no room', [], ALICE, 'forbidden'],
  ['unknown rooms alone', [{ isKnown: false, isJoined: false }], ALICE, 'unableToAuthoriseJoin'],
])('%s refuses the join', (_, rooms, authoriser, refusal) => {
  expect(denyRestrictedJoin(rooms, authoriser)?.refusal).toBe(refusal);
});
