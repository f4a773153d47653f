import { expect, it } from 'vitest';
import type { Subject } from '../desk/subject-title.tsx';
import { draftOf, inSequence, kindsOf, ordersOfOther } from './presets.ts';

const EVENT: Subject = {
  kind: 'event',
  user_id: '@spammer:test',
  room_id: '!room:test',
  event_id: '$event',
  media_uri: null,
};
const USER: Subject = { ...EVENT, kind: 'user', room_id: null, event_id: null };
const MEDIUM: Subject = { ...USER, kind: 'media', media_uri: 'mxc://test/abc' };
const ROOM: Subject = { ...EVENT, kind: 'room', user_id: null, event_id: null };
const all = () => true;

it('has presets only for what they do something about', () => {
  expect(kindsOf('remove_suspend', EVENT)).toEqual(['suspend', 'redact_event']);
  expect(kindsOf('remove_suspend', MEDIUM)).toEqual(['suspend', 'quarantine_media']);
  expect(kindsOf('remove_suspend', USER)).toBeUndefined();
  expect(kindsOf('spammer', USER)).toEqual(['lock', 'redact_user', 'quarantine_user_media']);
  expect(kindsOf('spammer', ROOM)).toBeUndefined();
  expect(kindsOf('dismiss', ROOM)).toEqual([]);
});

it('removes what other cases are about, and orders nothing against their user again', () => {
  const orders = [{ kind: 'redact_event', reason: 'Spam' }, { kind: 'suspend' }] as const;
  expect(ordersOfOther(orders, EVENT, all)).toEqual([{ kind: 'redact_event', reason: 'Spam' }]);
  expect(ordersOfOther(orders, MEDIUM, all)).toEqual([{ kind: 'quarantine_media' }]);
  expect(ordersOfOther(orders, MEDIUM, (kind) => kind !== 'quarantine_media')).toEqual([]);
  expect(ordersOfOther([{ kind: 'lock' }], EVENT, all)).toEqual([]);
});

it('keeps a user from going on before what they wrote is removed', () => {
  const chosen = (['redact_user', 'ban', 'lock'] as const).map((kind) => draftOf(kind));
  expect(inSequence(chosen).map(({ kind }) => kind)).toEqual(['lock', 'redact_user', 'ban']);
});
