import { describe, expect, it } from 'vitest';
import { authorize, type JudgedEvent } from './authorize.ts';
import type { RoomEvent } from './event.ts';
import {
  ALICE,
  BOB,
  CREATOR,
  create,
  draft,
  member,
  ROOM_ID,
  state,
  stateOf,
  version,
} from './fixtures/room-state.ts';

const levels = state('m.room.power_levels', {
  users: { [ALICE]: 50 },
  events: { hard: 60 },
  events_default: 1,
});

/** Whether the room admits an event. */
function admits(event: JudgedEvent, n = 10, ...more: readonly RoomEvent[]): boolean {
  const before = stateOf(create(version(n)), member(ALICE, 'join'), member(BOB, 'join'), levels, ...more);
  return authorize(event, version(n), before) === undefined;
}

describe('a creation', () => {
  const creation = (given: Partial<JudgedEvent> = {}, content: object = {}): JudgedEvent => ({
    ...draft({ type: 'm.room.create', state_key: '', sender: CREATOR }),
    content: { room_version: '10', creator: CREATOR, ...content },
    ...given,
  });
  const admitted = (event: JudgedEvent, n: number) => authorize(event, version(n), stateOf()) === undefined;

  it.each<[string, JudgedEvent, number]>([
    ['by its creator', creation(), 10],
    ['without a version in version 1', creation({ content: { creator: CREATOR } }), 1],
    ['without a creator in version 11', creation({ content: { room_version: '11' } }), 11],
    ['with more creators', creation({}, { room_version: '12', additional_creators: [ALICE] }), 12],
    ['with a creator list of no meaning', creation({}, { room_version: '11', additional_creators: 1 }), 11],
  ])('%s is admitted', (_, event, n) => expect(admitted(event, n)).toBe(true));

  it.each<[string, JudgedEvent, number]>([
    ['that follows something', creation({ prev_events: ['$a'] }), 10],
    ['of another version', creation(), 9],
    ['of an unknown version', creation({}, { room_version: 'a' }), 10],
    ['without a creator', creation({ content: { room_version: '10' } }), 10],
    ['under a state key', creation({ state_key: 'a' }), 10],
    ['with a room id in version 12', creation({ room_id: ROOM_ID }, { room_version: '12' }), 12],
    ['with no list of creators', creation({}, { room_version: '12', additional_creators: 'a' }), 12],
    ['with creators who are no users', creation({}, { room_version: '12', additional_creators: ['a'] }), 12],
  ])('%s is not admitted', (_, event, n) => expect(admitted(event, n)).toBe(false));

  it('happens once', () => expect(admits(creation())).toBe(false));
});

it('nothing is admitted to a room that was not created', () => {
  expect(authorize(draft(), version(10), stateOf(member(ALICE, 'join')))).toEqual({
    refusal: 'forbidden',
    message: 'The room has not been created',
  });
});

describe('an event', () => {
  it.each<[string, JudgedEvent]>([
    ['a message', draft({ content: { body: 'a' } })],
    ['a message that takes a level', draft({ type: 'm.room.name', state_key: '' })],
    ['state under the own id', draft({ type: 'a', state_key: ALICE })],
    ['state under any other key', draft({ type: 'a', state_key: 'a@b' })],
  ])('may be %s', (_, event) => expect(admits(event)).toBe(true));

  it.each<[string, JudgedEvent]>([
    ['by somebody who is not in the room', draft({ sender: '@c:test' })],
    ['of a type beyond the level', draft({ type: 'hard' })],
    ['a message beyond the level', draft({ sender: BOB })],
    ['state beyond the level', draft({ type: 'a', state_key: '', sender: BOB })],
    ["state under somebody else's id", draft({ type: 'a', state_key: BOB })],
    ['state under what begins as an id', draft({ type: 'a', state_key: '@' })],
    [
      'a change of power levels beyond the level',
      draft({ type: 'm.room.power_levels', state_key: '', content: { ban: 51 } }),
    ],
  ])('may not be %s', (_, event) => expect(admits(event)).toBe(false));

  it.each(['invite', 'leave', 'knock', 'ban'])('may not be sent with the membership %s', (membership) => {
    expect(admits(draft(), 10, member(ALICE, membership))).toBe(false);
  });

  it('may not come from another server where the room is closed', () => {
    const sender = '@a:other';
    const open = [member(sender, 'join'), state('m.room.power_levels', {})];
    expect(admits(draft({ sender }), 10, ...open)).toBe(true);
    expect(admits(draft({ sender }), 10, ...open, create(version(10), { 'm.federate': false }))).toBe(false);
    expect(admits(draft(), 10, create(version(10), { 'm.federate': false }))).toBe(true);
  });
});

describe('aliases', () => {
  const aliases = (state_key: string | undefined) =>
    draft({ type: 'm.room.aliases', sender: BOB, ...(state_key === undefined ? {} : { state_key }) });

  it.each([1, 5])('are those of the own server in version %i, whatever the level', (n) => {
    expect(admits(aliases('test'), n)).toBe(true);
    expect(admits(aliases('other'), n)).toBe(false);
    expect(admits(aliases(undefined), n)).toBe(false);
  });

  it('are like any other state from version 6 on', () => {
    expect(admits(aliases('test'), 6)).toBe(false);
    expect(admits({ ...aliases('other'), sender: ALICE }, 6)).toBe(true);
  });
});

describe('a redaction', () => {
  const redaction = (redacts: string) => draft({ type: 'm.room.redaction', redacts });
  const weak = state('m.room.power_levels', { users: { [ALICE]: 10 } });

  it.each([1, 2])('of an event of another server takes power in version %i', (n) => {
    expect(admits(redaction('$a:test'), n, weak)).toBe(true);
    expect(admits(redaction('$a:other'), n, weak)).toBe(false);
    expect(admits(redaction('$a:other'), n)).toBe(true);
  });

  it('is admitted by the level of its type alone from version 3 on', () => {
    expect(admits(redaction('$a'), 3, weak)).toBe(true);
  });
});
