import { describe, expect, it } from 'vitest';
import { draft, ROOM_ID, refusalOf, SERVER_NAME } from './fixtures/room-state.ts';
import { newAliases, validateEvent } from './validate-event.ts';

function validate(given: Parameters<typeof draft>[0], joinRule = 'invite') {
  return refusalOf(() => validateEvent(draft(given), { roomId: ROOM_ID, serverName: SERVER_NAME, joinRule }));
}

describe('messages', () => {
  it.each([
    ['m.room.message', { body: 'a', msgtype: 'm.text' }, undefined],
    ['m.room.message', { body: 'a' }, '400 M_UNKNOWN'],
    ['m.room.message', { msgtype: 'm.text' }, '400 M_UNKNOWN'],
    ['m.room.message', { body: 1, msgtype: 'm.text' }, '400 M_UNKNOWN'],
    ['m.room.message', {}, '400 M_UNKNOWN'],
    ['custom', {}, undefined],
    ['toString', {}, undefined],
    ['a\0', {}, '400 M_INVALID_PARAM'],
    ['m.room.name', { name: 'a' }, '400 M_UNKNOWN'],
    ['m.room.topic', { topic: 'a' }, '400 M_UNKNOWN'],
    ['m.room.member', { membership: 'join' }, '400 M_UNKNOWN'],
    ['m.room.redaction', { redacts: '$a' }, undefined],
    ['m.room.redaction', { redacts: 'a' }, '400 M_INVALID_PARAM'],
    ['m.room.redaction', { redacts: 1 }, '400 M_INVALID_PARAM'],
    ['m.room.redaction', { redacts: `$${'a'.repeat(255)}` }, '400 M_INVALID_PARAM'],
  ])('%s with %j: %s', (type, content, refusal) => expect(validate({ type, content })).toBe(refusal));

  it('messages are refused as calls to a public room', () => {
    expect(validate({ type: 'm.call.invite' })).toBeUndefined();
    expect(validate({ type: 'm.call.invite' }, 'public')).toBe('403 M_FORBIDDEN');
  });

  it.each([
    [{}, undefined],
    [{ user_ids: ['@a:b', 'anything'], room: true }, undefined],
    [{ user_ids: '@a:b' }, '400 M_BAD_JSON'],
    [{ user_ids: [1] }, '400 M_BAD_JSON'],
    [{ room: 1 }, '400 M_BAD_JSON'],
    [{ room: null }, '400 M_BAD_JSON'],
    [[], '400 M_BAD_JSON'],
    [null, '400 M_BAD_JSON'],
  ])('mention %j: %s', (mentions, refusal) => {
    expect(validate({ type: 'custom', content: { 'm.mentions': mentions } })).toBe(refusal);
  });
});

describe('state', () => {
  it.each([
    ['m.room.name', { name: '' }, undefined],
    ['m.room.name', {}, '400 M_UNKNOWN'],
    ['m.room.name', { name: null }, '400 M_UNKNOWN'],
    ['m.room.topic', { topic: 'a' }, undefined],
    ['m.room.topic', { topic: 1 }, '400 M_UNKNOWN'],
    ['m.room.power_levels', {}, undefined],
    [
      'm.room.power_levels',
      { ban: 50, users: { '@a:b': -5 }, events: { a: 0 }, notifications: { room: 1 } },
      undefined,
    ],
    ['m.room.power_levels', { ban: '50' }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { kick: null }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { redact: true }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { invite: 0.5 }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { users_default: 2 ** 53 }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { events_default: [] }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { state_default: {} }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { users: { '@a:b': '5' } }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { users: { a: 5 } }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { users: [] }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { events: { a: null } }, '400 M_BAD_JSON'],
    ['m.room.power_levels', { notifications: 5 }, '400 M_BAD_JSON'],
    ['m.room.power_levels', JSON.parse('{"events":{"__proto__":"5"}}'), '400 M_BAD_JSON'],
    ['m.room.tombstone', { replacement_room: '!new:test' }, undefined],
    ['m.room.tombstone', { replacement_room: ROOM_ID }, '400 M_UNKNOWN'],
    ['m.room.tombstone', {}, '400 M_UNKNOWN'],
    ['m.room.canonical_alias', { alias: '#a:test', alt_aliases: ['#b:test'] }, undefined],
    ['m.room.canonical_alias', {}, undefined],
    ['m.room.canonical_alias', { alias: null }, undefined],
    ['m.room.canonical_alias', { alias: 'a' }, '400 M_INVALID_PARAM'],
    ['m.room.canonical_alias', { alias: 5 }, '400 M_INVALID_PARAM'],
    ['m.room.canonical_alias', { alt_aliases: '#b:test' }, '400 M_INVALID_PARAM'],
    ['m.room.canonical_alias', { alt_aliases: ['b'] }, '400 M_INVALID_PARAM'],
    ['m.room.canonical_alias', { alt_aliases: [null] }, '400 M_INVALID_PARAM'],
    ['m.room.server_acl', { allow: ['*'] }, undefined],
    ['m.room.server_acl', { allow: ['*'], deny: ['te?t'] }, '400 M_UNKNOWN'],
    ['m.room.server_acl', {}, '400 M_UNKNOWN'],
    ['m.room.encryption', {}, undefined],
    ['custom', {}, undefined],
  ])('%s with %j: %s', (type, content, refusal) => {
    expect(validate({ type, content, state_key: '' })).toBe(refusal);
  });

  it.each([
    ['join', '@a:test', undefined],
    ['invite', '@a:test', undefined],
    ['leave', '@a:test', undefined],
    ['ban', '@a:test', undefined],
    ['knock', '@a:test', undefined],
    ['other', '@a:test', '400 M_UNKNOWN'],
    [1, '@a:test', '400 M_UNKNOWN'],
    [undefined, '@a:test', '400 M_UNKNOWN'],
    ['join', 'a', '400 M_INVALID_PARAM'],
    ['join', '', '400 M_INVALID_PARAM'],
  ])('m.room.member %s of %j: %s', (membership, state_key, refusal) => {
    expect(validate({ type: 'm.room.member', content: { membership }, state_key })).toBe(refusal);
  });

  it('state is refused with NUL in the key', () => {
    expect(validate({ type: 'custom', state_key: '\0' })).toBe('400 M_INVALID_PARAM');
  });
});

it.each([
  [{}, {}, []],
  [{ alias: '#a:test' }, {}, ['#a:test']],
  [{ alias: '#a:test' }, { alias: '#a:test' }, []],
  [{ alias: '' }, { alias: '#a:test' }, []],
  [{ alt_aliases: ['#a:test', '#b:test'] }, { alt_aliases: ['#a:test'] }, ['#b:test']],
  [{ alias: '#a:test', alt_aliases: ['#a:test', '#b:test', '#b:test'] }, {}, ['#a:test', '#b:test']],
  [
    { alias: '#a:test', alt_aliases: ['#b:test'] },
    { alias: '#b:test', alt_aliases: 'a' },
    ['#a:test', '#b:test'],
  ],
])('%j after %j claims %j', (content, before, claimed) => {
  expect(newAliases(content, before)).toEqual(claimed);
});
