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
import {
  denyRestrictedJoin,
  listedAuthorisers,
  mayAuthoriseJoin,
  roomsThatAllow,
} from './restricted-join.ts';

const allow = (...rooms: unknown[]) => state('m.room.join_rules', { join_rule: 'restricted', allow: rooms });
const room = (room_id: string) => ({ type: 'm.room_membership', room_id });

describe('the rooms that allow a join', () => {
  it('the rooms that allow a join are those of the join rule, each once', () => {
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

  it.each([undefined, 'a', {}, null])('the rooms that allow a join are none in %j', (rooms) => {
    const rule = state('m.room.join_rules', { join_rule: 'restricted', allow: rooms });
    expect(roomsThatAllow(BOB, version(8), stateOf(rule))).toEqual([]);
  });

  it('the rooms that allow a join are at most a hundred', () => {
    const rule = allow(...Array.from({ length: 500 }, (_, n) => room(`!${n}:b`)));
    expect(roomsThatAllow(BOB, version(8), stateOf(rule))).toHaveLength(100);
  });

  it.each(['join', 'invite', 'ban'])('do not matter with the membership %s', (membership) => {
    expect(
      roomsThatAllow(BOB, version(8), stateOf(allow(room('!a:b')), member(BOB, membership))),
    ).toBeUndefined();
  });

  it.each(['leave', 'knock'])('matter with the membership %s', (membership) => {
    expect(roomsThatAllow(BOB, version(8), stateOf(allow(), member(BOB, membership)))).toEqual([]);
  });

  it('do not matter under another join rule', () => {
    expect(roomsThatAllow(BOB, version(7), stateOf(allow(room('!a:b'))))).toBeUndefined();
    expect(roomsThatAllow(BOB, version(8), stateOf())).toBeUndefined();
  });
});

describe('the users who may authorise joins', () => {
  const levels = state('m.room.power_levels', {
    users: { [ALICE]: 10, [BOB]: 50, '@low:test': 9, '@remote:other': 100 },
    invite: 10,
  });

  it('the users who may authorise joins are listed in the power levels, the most powerful first', () => {
    expect(listedAuthorisers(version(8), stateOf(create(version(8)), levels), SERVER_NAME)).toEqual([
      BOB,
      ALICE,
    ]);
    expect(listedAuthorisers(version(12), stateOf(create(version(12)), levels), SERVER_NAME)).toEqual([
      CREATOR,
      BOB,
      ALICE,
    ]);
    expect(listedAuthorisers(version(8), stateOf(create(version(8))), SERVER_NAME)).toEqual([CREATOR]);
  });

  it('the users who may authorise joins are joined and may invite', () => {
    const before = stateOf(
      create(version(8)),
      levels,
      member(ALICE, 'join'),
      member(BOB, 'leave'),
      member('@low:test', 'join'),
    );
    expect(
      [ALICE, BOB, '@low:test', CREATOR].map((userId) => mayAuthoriseJoin(userId, version(8), before)),
    ).toEqual([true, false, false, false]);
  });
});

it.each([
  ['a joined room and an authoriser', [{ isKnown: true, isJoined: true }], ALICE, undefined],
  [
    'one joined room of several',
    [
      { isKnown: false, isJoined: false },
      { isKnown: true, isJoined: true },
    ],
    ALICE,
    undefined,
  ],
  [
    'a joined room without an authoriser',
    [{ isKnown: true, isJoined: true }],
    undefined,
    'unableToGrantJoin',
  ],
  [
    'no joined room',
    [
      { isKnown: true, isJoined: false },
      { isKnown: false, isJoined: false },
    ],
    ALICE,
    'forbidden',
  ],
  ['no room', [], ALICE, 'forbidden'],
  ['only unknown rooms', [{ isKnown: false, isJoined: false }], ALICE, 'unableToAuthoriseJoin'],
])('the outcome of a join with %s', (_, rooms, authoriser, refusal) => {
  expect(denyRestrictedJoin(rooms, authoriser)?.refusal).toBe(refusal);
});
