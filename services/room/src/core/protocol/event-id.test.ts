import { systemRandom } from '@steward/kernel';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from './event.ts';
import { eventIdOf, newEventId } from './event-id.ts';
import { version } from './fixtures/room-state.ts';
import { contentHash } from './hash.ts';
import { redact } from './redact.ts';
import { newRoomId, roomIdOfCreate } from './room-id.ts';

/** A create event of a real room, with the hash that its server computed. */
const create = {
  auth_events: [],
  prev_events: [],
  type: 'm.room.create',
  room_id: '!uXDCzlYgCTHtiWCkEx:jki.re',
  sender: '@erikj:jki.re',
  content: {
    room_version: '5',
    predecessor: {
      room_id: '!gdRMqOrTFdOCYHNwOo:half-shot.uk',
      event_id: '$LP7ROBc4b+cMc1UE9haIz8q5AK2AIW4eJ90FfKLvyZI',
    },
    creator: '@erikj:jki.re',
  },
  depth: 1,
  prev_state: [],
  state_key: '',
  origin: 'jki.re',
  origin_server_ts: 1560284621137,
  hashes: { sha256: 'IX6zuNiJpJPNf70BLleL3HSCpjKeq9Uhu7uUpyDjBmc' },
  signatures: { 'jki.re': { 'ed25519:auto': 'a' } },
  unsigned: { age: 1321650 },
} as const satisfies StoredEvent;

/** A state event of a real room of version 1. */
const named = {
  auth_events: [],
  content: { name: 'test3' },
  depth: 7,
  event_id: '$yvN1b43rlmcOs5fY:localhost',
  origin_server_ts: 1510854416361,
  prev_events: [],
  room_id: '!19Mp0U9hjajeIiw1:localhost',
  sender: '@test:localhost',
  state_key: '',
  type: 'm.room.name',
} satisfies StoredEvent;

it('the hash of a real event equals the one that its server computed', () => {
  expect(contentHash(create)).toBe(create.hashes.sha256);
});

describe('the id of an event', () => {
  it('the id of an event is a field of the event in versions 1 and 2', () => {
    expect(eventIdOf(named, version(1))).toBe(named.event_id);
    expect(eventIdOf(named, version(2))).toBe(named.event_id);
    const { event_id: _, ...without } = named;
    expect(() => eventIdOf(without, version(1))).toThrow();
  });

  it.each([
    [3, '$RrGxF28UrHLmoASHndYb9Jb/1SFww2ptmtur9INS438'],
    [4, '$RrGxF28UrHLmoASHndYb9Jb_1SFww2ptmtur9INS438'],
    [10, '$RrGxF28UrHLmoASHndYb9Jb_1SFww2ptmtur9INS438'],
  ])('the id of an event is its reference hash in version %i', (n, id) => {
    expect(eventIdOf(create, version(n))).toBe(id);
    expect(eventIdOf(redact(create, version(n)), version(n))).toBe(id);
  });

  it('of a create event is the room id in version 12', () => {
    const { room_id: _, ...without } = create;
    expect(roomIdOfCreate(without, version(12))).toBe(eventIdOf(without, version(12)).replace('$', '!'));
  });
});

it('random ids exist only in versions whose ids are not hashes', () => {
  expect(newEventId(version(2), systemRandom, 'test')).toMatch(/^\$[A-Za-z]{18}:test$/);
  expect(newEventId(version(3), systemRandom, 'test')).toBeUndefined();
  expect(newRoomId(systemRandom, 'test:8448')).toMatch(/^![A-Za-z]{18}:test:8448$/);
});
