import { expect, it } from 'vitest';
import { ALICE, BOB, draft, state } from './fixtures/room-state.ts';
import { repeatsState } from './repeated-state.ts';

const current = state('m.room.name', { name: 'a', b: [1, { c: 2, d: 3 }] }, '', ALICE);

it.each([
  ['the same content by the same sender', { content: { b: [1, { d: 3, c: 2 }], name: 'a' } }, true],
  ['other content', { content: { name: 'a' } }, false],
  ['content without a canonical form', { content: { name: 0.5 } }, false],
  ['another sender', { content: current.event.content, sender: BOB }, false],
])('%s', (_, given, repeats) => {
  expect(repeatsState(draft({ type: 'm.room.name', state_key: '', ...given }), current)).toBe(repeats);
});

it('an event without state key or without current state repeats nothing', () => {
  const { content } = current.event;
  expect(repeatsState(draft({ type: 'm.room.name', content }), current)).toBe(false);
  expect(repeatsState(draft({ type: 'm.room.name', state_key: '', content }), undefined)).toBe(false);
});
