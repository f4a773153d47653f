import { describe, expect, it } from 'vitest';
import {
  ALICE,
  BOB,
  CREATOR,
  create,
  draft,
  roomEvent,
  state,
  stateOf,
  version,
} from './fixtures/room-state.ts';
import {
  creatorsOf,
  findForbiddenLevel,
  findListedCreator,
  powerLevelsOf,
  readLevel,
} from './power-levels.ts';

function levelsOf(content: Record<string, unknown> | undefined, n = 10) {
  const levels = content === undefined ? [] : [state('m.room.power_levels', content)];
  return powerLevelsOf(stateOf(create(version(n)), ...levels), version(n));
}

describe('without power levels', () => {
  it.each([1, 10, 11])('only the creator has a level in version %i', (n) => {
    const levels = levelsOf(undefined, n);
    expect([levels.ofUser(CREATOR), levels.ofUser(ALICE)]).toEqual([100, 0]);
    expect([levels.toSend('a', false), levels.toSend('a', true)]).toEqual([0, 50]);
    expect((['invite', 'kick', 'ban', 'redact'] as const).map(levels.toDo)).toEqual([0, 50, 50, 50]);
    expect(levels.toNotifyRoom()).toBe(50);
  });
});

describe('with power levels', () => {
  it('without content, no user has a level', () => {
    const levels = levelsOf({});
    expect([levels.ofUser(CREATOR), levels.ofUser(ALICE)]).toEqual([0, 0]);
    expect([levels.toSend('a', false), levels.toSend('a', true)]).toEqual([0, 50]);
    expect((['invite', 'kick', 'ban', 'redact'] as const).map(levels.toDo)).toEqual([0, 50, 50, 50]);
  });

  it('users and actions have the given levels', () => {
    const levels = levelsOf({
      users: { [ALICE]: 7 },
      users_default: -1,
      events: { a: 3 },
      events_default: 4,
      state_default: 5,
      invite: 6,
      kick: 7,
      ban: 8,
      redact: 9,
      notifications: { room: 10 },
    });
    expect([levels.ofUser(ALICE), levels.ofUser(BOB)]).toEqual([7, -1]);
    expect([levels.toSend('a', false), levels.toSend('a', true)]).toEqual([3, 3]);
    expect([levels.toSend('b', false), levels.toSend('b', true)]).toEqual([4, 5]);
    expect((['invite', 'kick', 'ban', 'redact'] as const).map(levels.toDo)).toEqual([6, 7, 8, 9]);
    expect(levels.toNotifyRoom()).toBe(10);
  });

  it('an invalid level counts as absent', () => {
    const levels = levelsOf({
      users: [],
      users_default: null,
      events: 'a',
      ban: true,
      kick: 0.5,
      redact: 2 ** 53,
    });
    expect([levels.ofUser(ALICE), levels.toSend('a', true)]).toEqual([0, 50]);
    expect((['kick', 'ban', 'redact'] as const).map(levels.toDo)).toEqual([50, 50, 50]);
  });

  it('properties of every object are not levels', () => {
    const levels = levelsOf(JSON.parse('{"events":{},"users":{"__proto__":5}}'));
    expect([levels.toSend('constructor', true), levels.toSend('__proto__', false)]).toEqual([50, 0]);
    expect(levels.ofUser('toString')).toBe(0);
  });
});

it.each([
  [5, 5, 5],
  ['5', 5, undefined],
  [' -5 ', -5, undefined],
  ['+5', 5, undefined],
  [5.7, 5, undefined],
  ['5.7', undefined, undefined],
  ['', undefined, undefined],
  ['99999999999999999', undefined, undefined],
  ['9007199254740993', undefined, undefined],
  [true, undefined, undefined],
  [null, undefined, undefined],
  [{}, undefined, undefined],
])('the level %j is %s until version 9 and %s from 10 on', (value, before, after) => {
  expect(readLevel(value, version(9))).toBe(before);
  expect(readLevel(value, version(10))).toBe(after);
});

describe('creators', () => {
  it('creators are named in the content until version 10, and are the senders since 11', () => {
    const event = roomEvent({ type: 'm.room.create', sender: ALICE, content: { creator: BOB } });
    expect(creatorsOf(event, version(10))).toEqual([BOB]);
    expect(creatorsOf(event, version(11))).toEqual([ALICE]);
  });

  it('creators are above all levels in version 12', () => {
    const state12 = stateOf(
      create(version(12), { additional_creators: [BOB, 1] }),
      state('m.room.power_levels', { users: { [ALICE]: 100 }, users_default: 5 }),
    );
    const levels = powerLevelsOf(state12, version(12));
    expect([CREATOR, BOB, ALICE, '@c:test'].map(levels.ofUser)).toEqual([
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      100,
      5,
    ]);
  });
});

describe('a change of power levels', () => {
  const before = {
    users: { [ALICE]: 50, [BOB]: 50, '@low:test': 10, '@high:test': 60 },
    events: { high: 60, low: 10 },
    notifications: { room: 60 },
    ban: 60,
    kick: 10,
  };
  /** Checks a change; undefined values are omitted, as in JSON. */
  const change = (content: object, n = 10) =>
    findForbiddenLevel(
      draft({
        type: 'm.room.power_levels',
        state_key: '',
        content: JSON.parse(JSON.stringify({ ...before, ...content })),
      }),
      levelsOf(before, n),
      version(n),
    );
  const users = (given: object) => ({ users: { ...before.users, ...given } });
  const events = (given: object) => ({ events: { ...before.events, ...given } });
  /** A copy of a map without a key. */
  const without = (map: object, key: string) =>
    Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));

  it.each([
    ['nothing', {}],
    ['a default within reach', { kick: 50, invite: 50, users_default: 50 }],
    ['the removal of a default within reach', { kick: undefined }],
    ['an entry within reach', events({ low: 50, other: 50 })],
    ['the removal of an entry within reach', { events: without(before.events, 'low') }],
    ['a lower user', users({ '@low:test': 50 })],
    ['the removal of a lower user', { users: without(before.users, '@low:test') }],
    ['a new user', users({ '@new:test': 50 })],
    ['a lower level of the sender', users({ [ALICE]: 0 })],
    ['the removal of the sender', { users: without(before.users, ALICE) }],
  ])('may be %s', (_, content) => expect(change(content)).toBeUndefined());

  it.each([
    ['a default beyond reach', { kick: 51 }],
    ['a default that was beyond reach', { ban: 50 }],
    ['the removal of a default beyond reach', { ban: undefined }],
    ['a new default beyond reach', { state_default: 51 }],
    ['an entry beyond reach', events({ low: 51 })],
    ['an entry that was beyond reach', events({ high: 50 })],
    ['the removal of an entry beyond reach', { events: without(before.events, 'high') }],
    ['the removal of all entries', { events: undefined }],
    ['a lower user, raised too high', users({ '@low:test': 51 })],
    ['an equal user', users({ [BOB]: 40 })],
    ['the removal of an equal user', { users: without(before.users, BOB) }],
    ['a higher user', users({ '@high:test': 40 })],
    ['a new user beyond reach', users({ '@new:test': 51 })],
    ['a higher level of the sender', users({ [ALICE]: 51 })],
    ['a key that is not a user id', users({ a: 1 })],
    ['users that are not a map', { users: [] }],
    ['an invalid level of a user', users({ '@new:test': 'a' })],
    ['a key that every object has', JSON.parse('{"users":{"__proto__":1}}')],
  ])('may not be %s', (_, content) => expect(change(content)).toBeTypeOf('string'));

  it.each([
    ['the levels of notifications', { notifications: { room: 50 } }, 5],
    ['a level in a string', { kick: '20' }, 9],
    ['an invalid level', { kick: null }, 9],
    ['an entry in a string', events({ low: '20' }), 9],
    ['a user in a string', users({ '@low:test': '20' }), 9],
  ])('may be %s until version %3$i', (_, content, last) => {
    expect(change(content, last)).toBeUndefined();
    expect(change(content, last + 1)).toBeTypeOf('string');
  });

  it('may be anything if there were no power levels', () => {
    const event = draft({ type: 'm.room.power_levels', state_key: '', content: { ban: 1_000 } });
    expect(findForbiddenLevel(event, levelsOf(undefined), version(10))).toBeUndefined();
  });

  it('may not list creators in version 12', () => {
    const content = { users: { [CREATOR]: 100 } };
    const event = draft({ type: 'm.room.power_levels', state_key: '', sender: CREATOR, content });
    expect(findListedCreator(event, levelsOf({}, 12))).toBe(CREATOR);
    expect(findListedCreator(event, levelsOf({ users: { [CREATOR]: 100 } }, 11))).toBeUndefined();
  });

  it('may be anything by a creator in version 12', () => {
    const content = { users: { [ALICE]: Number.MAX_SAFE_INTEGER } };
    const event = draft({ type: 'm.room.power_levels', state_key: '', sender: CREATOR, content });
    expect(findForbiddenLevel(event, levelsOf({ users: { [BOB]: 1_000 } }, 12), version(12))).toBeUndefined();
  });
});
