import { describe, expect, it } from 'vitest';
import type { RoomEvent } from './event.ts';
import {
  ALICE,
  BOB,
  CREATOR,
  create,
  ROOM_ID,
  roomEvent,
  state,
  stateOf,
  version,
} from './fixtures/room-state.ts';
import { denyRedaction, redactionApplies } from './redaction.ts';

const before = stateOf(create(version(10)), state('m.room.power_levels', { users: { [CREATOR]: 50 } }));
const elsewhere = { ...roomEvent(), roomId: '!other:test' };

it.each<[string, string, RoomEvent | undefined, string | undefined]>([
  ['an own event', ALICE, roomEvent(), undefined],
  ["another's event with power", CREATOR, roomEvent(), undefined],
  ['an unknown event with power', CREATOR, undefined, undefined],
  ["another's event without power", BOB, roomEvent(), 'forbidden'],
  ['an unknown event without power', BOB, undefined, 'notFound'],
  ['an event of another room', ALICE, elsewhere, 'unknown'],
  ['an event of another room with power', CREATOR, elsewhere, 'unknown'],
  ['the create event', CREATOR, create(version(10)), 'forbidden'],
  ['the server ACL', CREATOR, state('m.room.server_acl', {}), 'forbidden'],
])('the redaction of %s', (_, redactor, target, refusal) => {
  expect(denyRedaction({ roomId: ROOM_ID, redactor, target }, version(10), before)?.refusal).toBe(refusal);
});

describe('a redaction applies', () => {
  it.each<[string, string, RoomEvent, boolean]>([
    ['to an own event', ALICE, roomEvent(), true],
    ["to another's event with power", CREATOR, roomEvent(), true],
    ["to another's event without power", BOB, roomEvent(), false],
    ['to an event of another room', ALICE, elsewhere, false],
    ['to the create event', CREATOR, create(version(10)), false],
  ])('%s', (_, sender, target, applies) => {
    const redaction = roomEvent({ type: 'm.room.redaction', sender });
    expect(redactionApplies(redaction, target, version(10), before)).toBe(applies);
  });
});
