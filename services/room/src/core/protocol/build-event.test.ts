import { createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from '@steward/kernel';
import { describe, expect, it } from 'vitest';
import { buildEvent, EVENT_MAX_BYTES, type EventContext } from './build-event.ts';
import { eventIdOf } from './event-id.ts';
import { ALICE, draft, ROOM_ID, refusalOf, roomEvent, SERVER_NAME, version } from './fixtures/room-state.ts';
import { contentHash, referenceHash, unpaddedBase64 } from './hash.ts';
import { redact } from './redact.ts';
import { signingKeyFromSeed } from './sign.ts';

const signingKey = signingKeyFromSeed('ed25519:a', Buffer.alloc(32, 7));
const auth = roomEvent();

function context(given: Partial<EventContext> = {}): EventContext {
  return {
    version: version(10),
    roomId: ROOM_ID,
    eventId: undefined,
    previous: [{ eventId: '$p', depth: 4 }],
    authEvents: [auth],
    now: 1_000,
    serverName: SERVER_NAME,
    signingKey,
    ...given,
  };
}

it('adds references, hashes, signature and id to a draft', () => {
  const built = buildEvent(draft({ content: { body: 'a' }, state_key: '' }), context());
  const { hashes, signatures, ...rest } = built.event;
  expect(rest).toEqual({
    type: 'm.room.message',
    content: { body: 'a' },
    sender: ALICE,
    state_key: '',
    room_id: ROOM_ID,
    origin_server_ts: 1_000,
    prev_events: ['$p'],
    auth_events: [auth.eventId],
    depth: 5,
  });
  expect(hashes).toEqual({ sha256: contentHash(built.event) });
  expect(built).toMatchObject({
    eventId: eventIdOf(built.event, version(10)),
    roomId: ROOM_ID,
    roomVersion: '10',
    bytes: Buffer.byteLength(canonicalJson(built.event)),
  });
  const { signatures: _, ...signed } = redact(built.event, version(10));
  const signature = Buffer.from(signatures?.[SERVER_NAME]?.['ed25519:a'] ?? '', 'base64');
  const publicKey = createPublicKey(signingKey.privateKey);
  expect(verify(null, Buffer.from(canonicalJson(signed)), publicKey, signature)).toBe(true);
});

it.each([1, 2])('uses references with hashes and a random id in version %i', (n) => {
  const old = version(n);
  const given = { version: old, eventId: '$e:test', previous: [{ eventId: '$p', depth: 1, sha256: 'a' }] };
  const built = buildEvent(draft(), context(given));
  expect(built.eventId).toBe('$e:test');
  expect(built.event).toMatchObject({
    event_id: '$e:test',
    prev_events: [['$p', { sha256: 'a' }]],
    auth_events: [[auth.eventId, { sha256: unpaddedBase64(referenceHash(auth.event, old)) }]],
  });
  expect(built.sha256).toBe(unpaddedBase64(referenceHash(built.event, old)));
});

it('builds a create event', () => {
  const begin = { previous: [], authEvents: [] };
  const create = draft({ type: 'm.room.create', state_key: '', content: { room_version: '12' } });
  const built = buildEvent(create, context({ ...begin, roomId: undefined, version: version(12) }));
  expect(built.event).toMatchObject({ depth: 1, prev_events: [], auth_events: [] });
  expect(built.event).not.toHaveProperty('room_id');
  expect(built.roomId).toBe(built.eventId.replace('$', '!'));
  expect(built.roomId).toMatch(/^![\w-]{43}$/);
});

it('follows the ten deepest events', () => {
  const previous = Array.from({ length: 12 }, (_, n) => ({ eventId: `$${n}`, depth: n }));
  const { event } = buildEvent(draft(), context({ previous }));
  expect(event.depth).toBe(12);
  expect(event.prev_events).toEqual(
    previous
      .toReversed()
      .slice(0, 10)
      .map(({ eventId }) => eventId),
  );
});

it('limits the depth to the safe integers', () => {
  const previous = [{ eventId: '$p', depth: Number.MAX_SAFE_INTEGER }];
  expect(buildEvent(draft(), context({ previous })).event.depth).toBe(Number.MAX_SAFE_INTEGER);
});

describe('an event', () => {
  const build = (given: Parameters<typeof draft>[0]) => refusalOf(() => buildEvent(draft(given), context()));

  it('has at most 65,536 bytes in all', () => {
    const { bytes } = buildEvent(draft({ content: { body: '' } }), context());
    const room = EVENT_MAX_BYTES - bytes;
    expect(build({ content: { body: 'a'.repeat(room) } })).toBeUndefined();
    expect(build({ content: { body: 'a'.repeat(room + 1) } })).toBe('413 M_TOO_LARGE');
    expect(build({ content: { body: `${'a'.repeat(room - 1)}ä` } })).toBe('413 M_TOO_LARGE');
  });

  it('an event is refused for its size before its content is hashed', () => {
    const uncanonical = { body: 'a'.repeat(EVENT_MAX_BYTES), fraction: 0.5 };
    expect(build({ content: uncanonical })).toBe('413 M_TOO_LARGE');
  });

  it.each(['type', 'sender', 'state_key'])('has a %s of at most 255 bytes', (key) => {
    expect(build({ [key]: 'a'.repeat(255) })).toBeUndefined();
    expect(build({ [key]: 'a'.repeat(256) })).toBe('413 M_TOO_LARGE');
    expect(build({ [key]: `${'a'.repeat(254)}ä` })).toBe('413 M_TOO_LARGE');
  });

  it.each([
    ['a fraction', '{"a":0.5}'],
    ['a large integer', '{"a":9007199254740992}'],
    ['an endless number', '{"a":1e999}'],
    ['half a character', '{"a":"\\ud800"}'],
    ['a deep nesting', `{"a":${'['.repeat(101)}${']'.repeat(101)}}`],
  ])('does not hold %s', (_, text) => {
    expect(build({ content: JSON.parse(text) })).toBe('400 M_BAD_JSON');
  });

  it('may have keys that are properties of every object', () => {
    const content = JSON.parse('{"__proto__":{"a":1},"constructor":1}');
    const { event } = buildEvent(draft({ content }), context());
    expect(JSON.stringify(event.content)).toBe('{"__proto__":{"a":1},"constructor":1}');
  });
});
