import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from './event.ts';
import { version } from './fixtures/room-state.ts';
import { redact, redactContent } from './redact.ts';

const everyLevel = {
  ban: 1,
  events: { a: 1 },
  events_default: 1,
  kick: 1,
  redact: 1,
  state_default: 1,
  users: { '@a:test': 1 },
  users_default: 1,
};

describe('redacted content', () => {
  it.each<[string, number[], object, object]>([
    ['m.room.message', [1, 12], { body: 'a', msgtype: 'm.text' }, {}],
    [
      'm.room.member',
      [1, 8],
      { membership: 'join', join_authorised_via_users_server: '@a:b', displayname: 'a' },
      { membership: 'join' },
    ],
    [
      'm.room.member',
      [9, 12],
      { membership: 'join', join_authorised_via_users_server: '@a:b', displayname: 'a' },
      { membership: 'join', join_authorised_via_users_server: '@a:b' },
    ],
    ['m.room.member', [1, 10], { third_party_invite: { signed: { a: 1 } } }, {}],
    [
      'm.room.member',
      [11, 12],
      { third_party_invite: { signed: { a: 1 }, display_name: 'a' } },
      { third_party_invite: { signed: { a: 1 } } },
    ],
    ['m.room.member', [11, 12], { third_party_invite: { display_name: 'a' } }, {}],
    ['m.room.member', [11, 12], { third_party_invite: 'a' }, {}],
    [
      'm.room.create',
      [1, 10],
      { creator: '@a:b', room_version: '1', 'm.federate': false },
      { creator: '@a:b' },
    ],
    ['m.room.create', [11, 12], { room_version: '11', a: 1 }, { room_version: '11', a: 1 }],
    ['m.room.join_rules', [1, 7], { join_rule: 'invite', allow: [], a: 1 }, { join_rule: 'invite' }],
    [
      'm.room.join_rules',
      [8, 12],
      { join_rule: 'invite', allow: [], a: 1 },
      { join_rule: 'invite', allow: [] },
    ],
    [
      'm.room.power_levels',
      [1, 10],
      { ...everyLevel, invite: 1, notifications: {}, historical: 1 },
      everyLevel,
    ],
    [
      'm.room.power_levels',
      [11, 12],
      { ...everyLevel, invite: 1, notifications: {} },
      { ...everyLevel, invite: 1 },
    ],
    [
      'm.room.history_visibility',
      [1, 12],
      { history_visibility: 'joined', a: 1 },
      { history_visibility: 'joined' },
    ],
    ['m.room.aliases', [1, 5], { aliases: ['#a:b'], a: 1 }, { aliases: ['#a:b'] }],
    ['m.room.aliases', [6, 12], { aliases: ['#a:b'] }, {}],
    ['m.room.redaction', [1, 10], { redacts: '$a', reason: 'a' }, {}],
    ['m.room.redaction', [11, 12], { redacts: '$a', reason: 'a' }, { redacts: '$a' }],
  ])('the redacted content of %s in versions %j', (type, [from = 0, to = 0], content, kept) => {
    for (let n = from; n <= to; n++) {
      expect(redactContent(type, content as StoredEvent['content'], version(n))).toEqual(kept);
    }
  });
});

const kept = {
  event_id: '$a:test',
  type: 'a',
  room_id: '!a:test',
  sender: '@a:test',
  state_key: '',
  hashes: { sha256: 'a' },
  signatures: { test: { 'ed25519:1': 'a' } },
  depth: 2,
  prev_events: ['$b'],
  auth_events: ['$c'],
  origin_server_ts: 1,
};
const old = { prev_state: [], origin: 'test', membership: 'join' };
const event: StoredEvent = { ...kept, ...old, content: { a: 1 }, unsigned: { age_ts: 1 }, redacts: '$d' };

it('keeps the same top-level keys until version 10', () => {
  for (let n = 1; n <= 10; n++) expect(redact(event, version(n))).toEqual({ ...kept, ...old, content: {} });
});

it('keeps fewer top-level keys since version 11', () => {
  for (const n of [11, 12]) expect(redact(event, version(n))).toEqual({ ...kept, content: {} });
});

it('a redaction is idempotent', () => {
  const type = fc.constantFrom(
    'm.room.member',
    'm.room.create',
    'm.room.power_levels',
    'm.room.redaction',
    'a',
  );
  const content = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(type, content, fc.integer({ min: 1, max: 12 }), (type, content, n) => {
      const once = redact({ ...event, type, content }, version(n));
      expect(redact(once, version(n))).toEqual(once);
    }),
  );
});
