import { describe, expect, it } from 'vitest';
import { type AuthorizableEvent, authorize } from './authorize.ts';
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
function admits(event: AuthorizableEvent, n = 10, ...more: readonly RoomEvent[]): boolean {
  const before = stateOf(create(version(n)), member(ALICE, 'join'), member(BOB, 'join'), levels, ...more);
  return authorize(event, version(n), before) === undefined;
}

describe('a create event', () => {
  const creation = (given: Partial<AuthorizableEvent> = {}, content: object = {}): AuthorizableEvent => ({
    ...draft({ type: 'm.room.create', state_key: '', sender: CREATOR }),
    content: { room_version: '10', creator: CREATOR, ...content },
    ...given,
  });
  const admitted = (event: AuthorizableEvent, n: number) =>
    authorize(event, version(n), stateOf()) === undefined;

  it.each<[string, AuthorizableEvent, number]>([
    ['by its creator', creation(), 10],
    ['without a version in version 1', creation({ content: { creator: CREATOR } }), 1],
    ['without a creator in version 11', creation({ content: { room_version: '11' } }), 11],
    ['with more creators', creation({}, { room_version: '12', additional_creators: [ALICE] }), 12],
    [
      'with a list of creators that the version ignores',
      creation({}, { room_version: '11', additional_creators: 1 }),
      11,
    ],
  ])('%s is admitted', (_, event, n) => expect(admitted(event, n)).toBe(true));

  it.each<[string, AuthorizableEvent, number]>([
    ['that follows another event', creation({ prev_events: ['$a'] }), 10],
    ['of another version', creation(), 9],
    ['of an unknown version', creation({}, { room_version: 'a' }), 10],
    ['without a creator', creation({ content: { room_version: '10' } }), 10],
    ['under a state key', creation({ state_key: 'a' }), 10],
    ['with a room id in version 12', creation({ room_id: ROOM_ID }, { room_version: '12' }), 12],
    ['with creators that are not a list', creation({}, { room_version: '12', additional_creators: 'a' }), 12],
    ['with creators who are not users', creation({}, { room_version: '12', additional_creators: ['a'] }), 12],
  ])('%s is not admitted', (_, event, n) => expect(admitted(event, n)).toBe(false));

  it('a create event is not admitted a second time', () => expect(admits(creation())).toBe(false));
});

it('an event is not admitted before the create event', () => {
  expect(authorize(draft(), version(10), stateOf(member(ALICE, 'join')))).toEqual({
    refusal: 'forbidden',
    message: 'The room has not been created',
  });
});

describe('an event', () => {
  it.each<[string, AuthorizableEvent]>([
    ['a message', draft({ content: { body: 'a' } })],
    ['a state event that requires a level', draft({ type: 'm.room.name', state_key: '' })],
    ["state under the sender's id", draft({ type: 'a', state_key: ALICE })],
    ['state under any other key', draft({ type: 'a', state_key: 'a@b' })],
  ])('may be %s', (_, event) => expect(admits(event)).toBe(true));

  it.each<[string, AuthorizableEvent]>([
    ['by a user who is not in the room', draft({ sender: '@c:test' })],
    ['of a type beyond the level', draft({ type: 'hard' })],
    ['a message beyond the level', draft({ sender: BOB })],
    ['state beyond the level', draft({ type: 'a', state_key: '', sender: BOB })],
    ["state under another user's id", draft({ type: 'a', state_key: BOB })],
    ['state under a key that begins like a user id', draft({ type: 'a', state_key: '@' })],
    [
      'a change of power levels beyond the level',
      draft({ type: 'm.room.power_levels', state_key: '', content: { ban: 51 } }),
    ],
  ])('may not be %s', (_, event) => expect(admits(event)).toBe(false));

  it.each(['invite', 'leave', 'knock', 'ban'])('may not be sent with the membership %s', (membership) => {
    expect(admits(draft(), 10, member(ALICE, membership))).toBe(false);
  });

  it('may not come from another server in a room that does not federate', () => {
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

  it.each([1, 5])("aliases are admitted for the sender's server at any level in version %i", (n) => {
    expect(admits(aliases('test'), n)).toBe(true);
    expect(admits(aliases('other'), n)).toBe(false);
    expect(admits(aliases(undefined), n)).toBe(false);
  });

  it('aliases are authorised like any other state since version 6', () => {
    expect(admits(aliases('test'), 6)).toBe(false);
    expect(admits({ ...aliases('other'), sender: ALICE }, 6)).toBe(true);
  });
});

describe('a redaction', () => {
  const redaction = (redacts: string) => draft({ type: 'm.room.redaction', redacts });
  const weak = state('m.room.power_levels', { users: { [ALICE]: 10 } });

  it.each([1, 2])('of an event of another server requires the redact level in version %i', (n) => {
    expect(admits(redaction('$a:test'), n, weak)).toBe(true);
    expect(admits(redaction('$a:other'), n, weak)).toBe(false);
    expect(admits(redaction('$a:other'), n)).toBe(true);
  });

  it('requires only the level of its type since version 3', () => {
    expect(admits(redaction('$a'), 3, weak)).toBe(true);
  });
});
