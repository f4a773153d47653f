import { describe, expect, it } from 'vitest';
import { adminForm, clientForm, federationForm, strippedState } from './client-event.ts';
import type { RoomEvent } from './event.ts';
import {
  ALICE,
  BOB,
  CREATOR,
  create,
  member,
  ROOM_ID,
  roomEvent,
  state,
  stateOf,
  version,
} from './fixtures/room-state.ts';

const NOW = 5_000;
const hashed = {
  hashes: { sha256: 'a' },
  signatures: { test: { 'ed25519:1': 'b' } },
  origin: 'test',
  unsigned: { age_ts: 1, invite_room_state: [] },
};

describe('the client form', () => {
  it('of a message has exactly the specified keys', () => {
    const event = roomEvent({ content: { body: 'a' }, ...hashed });
    expect(clientForm(event, { now: NOW })).toEqual({
      event_id: event.eventId,
      type: 'm.room.message',
      sender: ALICE,
      content: { body: 'a' },
      origin_server_ts: 1_000,
      room_id: ROOM_ID,
      unsigned: { age: 4_000 },
    });
  });

  it('of a state event contains the replaced content', () => {
    const replaced = state('m.room.name', { name: 'old' }, '', BOB);
    const event = state('m.room.name', { name: 'new' });
    expect(clientForm(event, { now: NOW, replaced })).toMatchObject({
      state_key: '',
      unsigned: { prev_content: { name: 'old' }, prev_sender: BOB, replaces_state: replaced.eventId },
    });
    expect(clientForm(event, { now: NOW }).unsigned).toEqual({ age: 4_000 });
  });

  it('contains the data for a single viewer', () => {
    const relations = { 'm.reference': {} };
    const view = { now: NOW, transactionId: 'x', membership: 'join', relations, omitRoomId: true } as const;
    const event = clientForm(roomEvent(), view);
    expect(event).not.toHaveProperty('room_id');
    expect(event.unsigned).toEqual({
      age: 4_000,
      transaction_id: 'x',
      membership: 'join',
      'm.relations': relations,
    });
  });

  it('of a redacted event has no content, and contains the redaction', () => {
    const redactedBecause = roomEvent({
      type: 'm.room.redaction',
      sender: BOB,
      redacts: '$x',
      content: { reason: 'r' },
    });
    const event = clientForm(roomEvent({ content: { body: 'a' } }), { now: NOW, redactedBecause });
    expect(event.content).toEqual({});
    expect(event.unsigned).toMatchObject({
      redacted_by: redactedBecause.eventId,
      redacted_because: {
        event_id: redactedBecause.eventId,
        redacts: '$x',
        content: { reason: 'r', redacts: '$x' },
      },
    });
    expect(clientForm(roomEvent({ content: { body: 'a' } }), { now: NOW, isRedacted: true }).content).toEqual(
      {},
    );
    expect(clientForm(roomEvent({ content: { body: 'a' } }), { now: NOW, redactedBy: '$r' })).toMatchObject({
      content: {},
      unsigned: { redacted_by: '$r' },
    });
  });

  it.each([
    ['10', { redacts: '$x', content: { reason: 'r' } }, '$x'],
    ['10', { redacts: '$x', content: { reason: 'r', redacts: '$y' } }, '$x'],
    ['11', { content: { reason: 'r', redacts: '$x' } }, '$x'],
    ['11', { redacts: '$y', content: { reason: 'r', redacts: '$x' } }, '$x'],
  ])('of a redaction in version %s names the target twice', (roomVersion, given, redacts) => {
    const event = clientForm(roomEvent({ type: 'm.room.redaction', ...given }, roomVersion), { now: NOW });
    expect(event).toMatchObject({ redacts, content: { reason: 'r', redacts } });
  });

  it('of any other event has no `redacts`', () => {
    const event = clientForm(roomEvent({ content: { redacts: '$x' } }, '11'), { now: NOW });
    expect(event).not.toHaveProperty('redacts');
  });
});

it('the form for administrators repeats keys of `unsigned` at the top level', () => {
  const replaced = state('m.room.name', { name: 'old' });
  const event = state('m.room.name', { name: 'new' });
  expect(adminForm(event, { now: NOW, replaced })).toEqual({
    ...clientForm(event, { now: NOW, replaced }),
    user_id: CREATOR,
    age: 4_000,
    prev_content: { name: 'old' },
    replaces_state: replaced.eventId,
  });
});

it('the federation form is the stored event, or its redacted form', () => {
  const event = roomEvent({ content: { body: 'a' }, ...hashed });
  expect(federationForm(event)).toEqual(event.event);
  expect(federationForm(event, { isRedacted: true })).toMatchObject({
    content: {},
    hashes: hashed.hashes,
    unsigned: {},
  });
});

describe('stripped state', () => {
  const name = state('m.room.name', { name: 'a' });
  const encryption = state('m.room.encryption', {});
  const invite = { ...member(BOB, 'invite') };
  const all = (...more: RoomEvent[]) =>
    stateOf(encryption, name, state('m.room.power_levels', {}), member(ALICE, 'join'), invite, ...more);

  it('contains the state of the room, the inviter, and last the invited user', () => {
    const stripped = strippedState(all(create(version(11))), [ALICE, BOB], NOW);
    expect(stripped.map(({ type, state_key }) => [type, state_key])).toEqual([
      ['m.room.create', ''],
      ['m.room.name', ''],
      ['m.room.encryption', ''],
      ['m.room.member', ALICE],
      ['m.room.member', BOB],
    ]);
    expect(stripped[0]).toEqual({
      type: 'm.room.create',
      state_key: '',
      sender: CREATOR,
      content: { room_version: '11' },
    });
  });

  it('contains the complete create event in version 12', () => {
    const creation = create(version(12));
    expect(strippedState(all(creation), [BOB], NOW)[0]).toEqual(clientForm(creation, { now: NOW }));
  });
});
