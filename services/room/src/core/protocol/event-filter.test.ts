import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filtersByRelations,
  matchesEvent,
  matchesRoom,
  NO_FILTER,
  parseEventFilter,
  readEventFilter,
} from './event-filter.ts';
import { ALICE, BOB, ROOM_ID, refusalOf, roomEvent } from './fixtures/room-state.ts';

const image = roomEvent({ content: { url: 'mxc://test/a' } });
const matches = (filter: Record<string, unknown>, ...related: { sender: string; relType: string }[]) =>
  matchesEvent(parseEventFilter(filter), image, related);

describe('a message by Alice with a URL', () => {
  it.each([
    [{}, true],
    [{ types: ['m.room.message'] }, true],
    [{ types: ['m.room.*'] }, true],
    [{ types: ['*message', 'a'] }, true],
    [{ types: ['*'] }, true],
    [{ types: ['m.room'] }, false],
    [{ types: ['m?room.message'] }, false],
    [{ types: [] }, false],
    [{ not_types: ['m.room.message'] }, false],
    [{ not_types: ['m.*'], types: ['m.room.message'] }, false],
    [{ not_types: [] }, true],
    [{ senders: [ALICE] }, true],
    [{ senders: [BOB] }, false],
    [{ senders: [] }, false],
    [{ not_senders: [ALICE], senders: [ALICE] }, false],
    [{ not_senders: [BOB] }, true],
    [{ rooms: [ROOM_ID] }, true],
    [{ rooms: [] }, false],
    [{ not_rooms: [ROOM_ID], rooms: [ROOM_ID] }, false],
    [{ contains_url: true }, true],
    [{ contains_url: false }, false],
  ])('passes %j: %s', (filter, passes) => expect(matches(filter)).toBe(passes));

  it('a message by Alice with a URL is matched by conditions on relations', () => {
    const byBob = { sender: BOB, relType: 'm.thread' };
    expect(matches({ related_by_senders: [BOB] })).toBe(false);
    expect(matches({ related_by_senders: [BOB] }, byBob)).toBe(true);
    expect(matches({ related_by_rel_types: ['m.thread'] }, byBob)).toBe(true);
    expect(matches({ related_by_rel_types: ['m.reference'] }, byBob)).toBe(false);
    const byAlice = { sender: ALICE, relType: 'm.reference' };
    const filter = { related_by_senders: [BOB], related_by_rel_types: ['m.reference'] };
    expect(matches(filter, byBob, byAlice)).toBe(false);
    expect(filtersByRelations(parseEventFilter(filter))).toBe(true);
    expect(filtersByRelations(NO_FILTER)).toBe(false);
  });
});

it('a `url` that is not a string does not count', () => {
  const filter = parseEventFilter({ contains_url: true });
  expect(matchesEvent(filter, roomEvent({ content: { url: 1 } }))).toBe(false);
  expect(matchesEvent(filter, roomEvent())).toBe(false);
});

it('reads every key of a filter', () => {
  expect(parseEventFilter({})).toMatchObject({
    limit: undefined,
    lazyLoadMembers: false,
    eventFormat: 'client',
  });
  const filter = {
    limit: 5,
    lazy_load_members: true,
    include_redundant_members: true,
    event_format: 'federation',
    unknown: 1,
  };
  expect(readEventFilter(JSON.stringify(filter))).toMatchObject({
    limit: 5,
    lazyLoadMembers: true,
    includeRedundantMembers: true,
    eventFormat: 'federation',
  });
  expect(matchesRoom(parseEventFilter({ not_rooms: ['!a:b'] }), '!a:b')).toBe(false);
});

it.each([
  ['', '400 M_NOT_JSON'],
  ['{', '400 M_NOT_JSON'],
  ['[]', '400 M_NOT_JSON'],
  ['null', '400 M_NOT_JSON'],
  ['5', '400 M_NOT_JSON'],
  ['{"types":"a"}', '400 M_BAD_JSON'],
  ['{"not_types":[1]}', '400 M_BAD_JSON'],
  ['{"senders":{}}', '400 M_BAD_JSON'],
  ['{"rooms":null}', '400 M_BAD_JSON'],
  ['{"related_by_senders":1}', '400 M_BAD_JSON'],
  ['{"contains_url":1}', '400 M_BAD_JSON'],
  ['{"lazy_load_members":"true"}', '400 M_BAD_JSON'],
  ['{"limit":"5"}', '400 M_BAD_JSON'],
  ['{"limit":-1}', '400 M_BAD_JSON'],
  ['{"limit":0.5}', '400 M_BAD_JSON'],
  ['{"event_format":"raw"}', '400 M_BAD_JSON'],
  [JSON.stringify({ types: Array.from({ length: 101 }, (_, n) => `${n}*`) }), '400 M_BAD_JSON'],
  [JSON.stringify({ not_types: ['*'.repeat(256)] }), '400 M_BAD_JSON'],
  [JSON.stringify({ types: Array.from({ length: 10_000 }, (_, n) => `${n}`) }), undefined],
])('%s: %s', (text, refusal) => expect(refusalOf(() => readEventFilter(text))).toBe(refusal));

it('a type matches if the list of types matches it and the list of excluded types does not', () => {
  const types = fc.array(fc.constantFrom('m.room.message', 'm.*', 'a', '*'), { maxLength: 3 });
  fc.assert(
    fc.property(types, types, (types, notTypes) => {
      const matched = matches({ types, not_types: notTypes });
      expect(matched).toBe(matches({ types }) && !matches({ types: notTypes }));
    }),
  );
});
