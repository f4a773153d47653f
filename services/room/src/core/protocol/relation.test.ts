import { expect, it } from 'vitest';
import { ROOM_ID, refusalOf, roomEvent } from './fixtures/room-state.ts';
import { checkRelation, type Relation, relationOf } from './relation.ts';

it.each([
  [
    { rel_type: 'm.thread', event_id: '$a' },
    { relType: 'm.thread', eventId: '$a' },
  ],
  [
    { rel_type: 'm.annotation', event_id: '$a', key: 'k' },
    { relType: 'm.annotation', eventId: '$a', key: 'k' },
  ],
  [{ rel_type: 'm.thread' }, undefined],
  [{ event_id: '$a' }, undefined],
  [{ rel_type: 1, event_id: '$a' }, undefined],
  [{ rel_type: 'm.thread', event_id: `$${'a'.repeat(255)}` }, undefined],
  ['m.thread', undefined],
  [null, undefined],
])('%j states %j', (stated, relation) => {
  expect(relationOf({ 'm.relates_to': stated })).toEqual(relation);
});

const plain = roomEvent();
const related = roomEvent({ content: { 'm.relates_to': { rel_type: 'm.reference', event_id: '$a' } } });
const annotation = (key?: string): Relation => ({
  relType: 'm.annotation',
  eventId: '$a',
  ...(key === undefined ? {} : { key }),
});
const thread: Relation = { relType: 'm.thread', eventId: '$a' };

it.each<[string, Relation, ReturnType<typeof roomEvent> | undefined, boolean, string | undefined]>([
  ['an annotation', annotation('k'), plain, false, undefined],
  ['an annotation of a relation', annotation('k'), related, false, undefined],
  ['a long key', annotation('😀'.repeat(500)), plain, false, undefined],
  ['a longer key', annotation('a'.repeat(501)), plain, false, '400 M_UNKNOWN'],
  ['no key', annotation(), plain, false, '400 M_UNKNOWN'],
  ['a repetition', annotation('k'), plain, true, '400 M_DUPLICATE_ANNOTATION'],
  ['a thread', thread, plain, false, undefined],
  ['a thread that begins at a relation', thread, related, false, '400 M_UNKNOWN'],
  ['an unknown target', thread, undefined, false, '400 M_UNKNOWN'],
  ['a target in another room', thread, { ...plain, roomId: '!other:test' }, false, '400 M_UNKNOWN'],
])('%s', (_, relation, target, isDuplicate, refusal) => {
  expect(refusalOf(() => checkRelation(relation, { roomId: ROOM_ID, target, isDuplicate }))).toBe(refusal);
});
