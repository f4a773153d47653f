import { describe, expect, it } from 'vitest';
import { authorize } from './authorize.ts';
import type { EventDraft, RoomEvent, StateLookup } from './event.ts';
import { ALICE, BOB, CREATOR, refusalOf, roomEvent, SERVER_NAME, version } from './fixtures/room-state.ts';
import { inviteDraft, planRoom, type RoomRequest } from './presets.ts';

function plan(request: RoomRequest = {}, defaultRoomVersion = '10') {
  const creatorProfile = { displayName: 'C' };
  return planRoom(request, { creator: CREATOR, creatorProfile, serverName: SERVER_NAME, defaultRoomVersion });
}

const typesOf = (request: RoomRequest) => plan(request).drafts.map(({ type }) => type.replace('m.room.', ''));
const contentOf = (request: RoomRequest, type: string, n = '10') =>
  plan(request, n).drafts.find((event) => event.type === `m.room.${type}`)?.content;

describe('the events of a room', () => {
  it('the events of a room are the five basic ones in a public room without further settings', () => {
    expect(typesOf({ visibility: 'public' })).toEqual([
      'create',
      'member',
      'power_levels',
      'join_rules',
      'history_visibility',
    ]);
  });

  it('have their documented order', () => {
    const request = {
      aliasName: 'a',
      name: 'n',
      topic: 't',
      initialState: [{ type: 'm.room.encryption', content: {} }],
    };
    expect(typesOf(request)).toEqual([
      'create',
      'member',
      'power_levels',
      'canonical_alias',
      'join_rules',
      'history_visibility',
      'guest_access',
      'encryption',
      'name',
      'topic',
    ]);
  });

  it('contain the values of the request', () => {
    const request = { aliasName: 'a', name: 'n', topic: 't' };
    expect(plan(request).alias).toBe('#a:test');
    expect(contentOf(request, 'canonical_alias')).toEqual({ alias: '#a:test' });
    expect(contentOf(request, 'name')).toEqual({ name: 'n' });
    expect(contentOf(request, 'topic')).toEqual({ topic: 't', 'm.topic': { 'm.text': [{ body: 't' }] } });
    expect(plan(request).drafts[1]).toEqual({
      type: 'm.room.member',
      state_key: CREATOR,
      sender: CREATOR,
      content: { membership: 'join', displayname: 'C' },
    });
  });

  it('the events of a room that the client gives replace the default ones', () => {
    const initialState = [
      { type: 'm.room.guest_access', state_key: '', content: { guest_access: 'forbidden' } },
      { type: 'm.room.power_levels', content: { ban: 5 } },
      { type: 'custom', state_key: 'b', content: { n: 1 } },
      { type: 'm.room.join_rules', content: { join_rule: 'knock' } },
      { type: 'custom', state_key: 'a', content: { n: 2 } },
      { type: 'custom', state_key: 'b', content: { n: 3 } },
      { type: 'm.room.history_visibility', state_key: 'other', content: {} },
    ];
    const override = { powerLevelContentOverride: { ban: 6 } };
    const { drafts } = plan({ initialState, ...override });
    expect(drafts.slice(2).map(({ type, state_key, content }) => [type, state_key, content])).toEqual([
      ['m.room.power_levels', '', { ban: 5 }],
      ['m.room.history_visibility', '', { history_visibility: 'shared' }],
      ['m.room.guest_access', '', { guest_access: 'forbidden' }],
      ['custom', 'b', { n: 3 }],
      ['m.room.join_rules', '', { join_rule: 'knock' }],
      ['custom', 'a', { n: 2 }],
      ['m.room.history_visibility', 'other', {}],
    ]);
  });
});

describe('the preset', () => {
  it.each([
    ['private_chat', 'invite', { guest_access: 'can_join' }, 0],
    ['trusted_private_chat', 'invite', { guest_access: 'can_join' }, 0],
    ['public_chat', 'public', undefined, 50],
  ])('%s', (preset, join_rule, guestAccess, invite) => {
    expect(contentOf({ preset }, 'join_rules')).toEqual({ join_rule });
    expect(contentOf({ preset }, 'guest_access')).toEqual(guestAccess);
    expect(contentOf({ preset }, 'history_visibility')).toEqual({ history_visibility: 'shared' });
    expect(contentOf({ preset }, 'power_levels')).toMatchObject({ invite });
  });

  it.each([
    [{}, 'invite', false],
    [{ visibility: 'private' }, 'invite', false],
    [{ visibility: 'public' }, 'public', true],
    [{ visibility: 'public', preset: 'private_chat' }, 'invite', true],
    [{ preset: 'public_chat' }, 'public', false],
  ])('for %j', (request, join_rule, isPublic) => {
    expect(contentOf(request, 'join_rules')).toEqual({ join_rule });
    expect(plan(request).isPublic).toBe(isPublic);
  });

  it('trusted_private_chat gives the invited users the level of the creator', () => {
    const request = { preset: 'trusted_private_chat', invite: [ALICE, BOB, ALICE] };
    expect(plan(request).invite).toEqual([ALICE, BOB]);
    expect(contentOf(request, 'power_levels')).toMatchObject({
      users: { [CREATOR]: 100, [ALICE]: 100, [BOB]: 100 },
    });
    expect(contentOf(request, 'create')).not.toHaveProperty('additional_creators');
    expect(contentOf(request, 'power_levels', '12')).toMatchObject({ users: {} });
    expect(contentOf(request, 'create', '12')).toMatchObject({ additional_creators: [ALICE, BOB] });
  });
});

describe('the create event', () => {
  const creationContent = { room_version: '1', creator: '@x:y', 'm.federate': false, type: 'm.space', a: 1 };

  it('keeps the content from the client, apart from keys that the server sets', () => {
    expect(contentOf({ creationContent }, 'create')).toEqual({
      ...creationContent,
      room_version: '10',
      creator: CREATOR,
    });
    expect(contentOf({}, 'create', '11')).toEqual({ room_version: '11' });
  });

  it('names additional creators in version 12, once each, without the sender', () => {
    const given = { creationContent: { additional_creators: [ALICE, CREATOR, ALICE] } };
    expect(contentOf(given, 'create', '12')).toEqual({ room_version: '12', additional_creators: [ALICE] });
    const none = { creationContent: { additional_creators: [CREATOR] } };
    expect(contentOf(none, 'create', '12')).toEqual({ room_version: '12' });
  });
});

describe('the power levels', () => {
  const common = {
    users_default: 0,
    events_default: 0,
    state_default: 50,
    ban: 50,
    kick: 50,
    redact: 50,
    invite: 0,
    historical: 100,
  };
  const events = {
    'm.room.name': 50,
    'm.room.power_levels': 100,
    'm.room.history_visibility': 100,
    'm.room.canonical_alias': 50,
    'm.room.avatar': 50,
    'm.room.tombstone': 100,
    'm.room.server_acl': 100,
    'm.room.encryption': 100,
  };

  it('the power levels are the documented ones', () => {
    expect(contentOf({}, 'power_levels')).toEqual({ ...common, users: { [CREATOR]: 100 }, events });
    expect(contentOf({}, 'power_levels', '12')).toEqual({
      ...common,
      users: {},
      events: { ...events, 'm.room.tombstone': 150 },
    });
  });

  it('the power levels are overridden key by key', () => {
    const powerLevelContentOverride = { events: { a: 1 }, ban: 7, users: { [CREATOR]: 90 } };
    expect(contentOf({ powerLevelContentOverride }, 'power_levels')).toEqual({
      ...common,
      ...powerLevelContentOverride,
    });
  });
});

describe('is refused', () => {
  const threepid = { id_server: 'a', id_access_token: 'b', medium: 'email', address: 'c' };

  it.each<[string, RoomRequest, string]>([
    ['an unknown preset', { preset: 'toString' }, '400 M_BAD_JSON'],
    ['an unknown visibility', { visibility: 'a' }, '400 M_BAD_JSON'],
    ['an unknown version', { roomVersion: '13' }, '400 M_UNSUPPORTED_ROOM_VERSION'],
    ['white space in the alias', { aliasName: 'a b' }, '400 M_INVALID_PARAM'],
    ['a colon in the alias', { aliasName: 'a:b' }, '400 M_INVALID_PARAM'],
    ['an empty alias', { aliasName: '' }, '400 M_INVALID_PARAM'],
    ['a long alias', { aliasName: 'a'.repeat(250) }, '400 M_INVALID_PARAM'],
    ['an invitation of an invalid user id', { invite: ['a'] }, '400 M_INVALID_PARAM'],
    ['an invitation of a user of another server', { invite: [ALICE, '@a:other'] }, '403 M_FORBIDDEN'],
    [
      'half a third-party invitation',
      { invite3pid: [{ ...threepid, medium: undefined }] },
      '400 M_MISSING_PARAM',
    ],
    ['an invalid third-party invitation', { invite3pid: [null] }, '400 M_BAD_JSON'],
    ['a third-party invitation', { invite3pid: [threepid] }, '403 M_FORBIDDEN'],
    ['state without type', { initialState: [{ content: {} }] }, '400 M_BAD_JSON'],
    ['state without content', { initialState: [{ type: 'a' }] }, '400 M_BAD_JSON'],
    [
      'state with a key that is not a string',
      { initialState: [{ type: 'a', state_key: 1, content: {} }] },
      '400 M_BAD_JSON',
    ],
    ['state that is not an object', { initialState: ['a'] }, '400 M_BAD_JSON'],
    [
      'levels without the creator',
      { powerLevelContentOverride: { users: { [ALICE]: 100 } } },
      '400 M_UNKNOWN',
    ],
    [
      'creators who are not users',
      { roomVersion: '12', creationContent: { additional_creators: ['a'] } },
      '400 M_BAD_JSON',
    ],
  ])('%s', (_, request, refusal) => expect(refusalOf(() => plan(request))).toBe(refusal));

  it('not for levels without the creator in version 12', () => {
    expect(refusalOf(() => plan({ powerLevelContentOverride: { users: {} } }, '12'))).toBeUndefined();
  });
});

describe.each(['1', '6', '9', '10', '11', '12'])('in version %s', (n) => {
  it.each(['private_chat', 'trusted_private_chat', 'public_chat'])(
    'a room by %s is admitted, event by event',
    (preset) => {
      const { drafts, invite, isDirect } = plan(
        { preset, invite: [ALICE], isDirect: true, name: 'n', topic: 't', aliasName: 'a' },
        n,
      );
      const state = new Map<string, RoomEvent>();
      const lookup: StateLookup = (type, key) => state.get(`${type} ${key}`);
      const invites = invite.map((userId) => inviteDraft(CREATOR, userId, { displayName: 'A' }, isDirect));
      expect(invites[0]?.content).toEqual({ membership: 'invite', displayname: 'A', is_direct: true });
      for (const event of [...drafts, ...invites] satisfies EventDraft[]) {
        expect(authorize(event, version(Number(n)), lookup)).toBeUndefined();
        state.set(`${event.type} ${event.state_key}`, roomEvent(event, n));
      }
    },
  );
});
