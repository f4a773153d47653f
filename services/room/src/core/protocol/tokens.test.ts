import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refusalOf } from './fixtures/room-state.ts';
import { formatRoomToken, formatSyncToken, readToken } from './tokens.ts';

it.each([
  ['t1-0', { kind: 'room', depth: 1, arrival: 0 }],
  ['t1-0_0_0_0_0_0_0_0_0_0', { kind: 'room', depth: 1, arrival: 0 }],
  ['t12-34_', { kind: 'room', depth: 12, arrival: 34 }],
  ['s0', { kind: 'sync', position: 0 }],
  ['s0_0_0_0_0_0_0_0_0_0', { kind: 'sync', position: 0 }],
  ['s72594_4483_1934', { kind: 'sync', position: 72594 }],
  ['s5_abc~1.2', { kind: 'sync', position: 5 }],
  ['END', undefined],
])('%s is read as %j', (text, token) => expect(readToken(text)).toEqual(token));

it.each([
  '',
  't',
  's',
  't1',
  't-1',
  't1-',
  't1--1',
  's-1',
  's1.5',
  'st1-0',
  's1 ',
  's1\n',
  's1a',
  's1_a/b',
  't1-9007199254740992',
  's99999999999999999999',
  `s1_${'0'.repeat(300)}`,
  'end',
])('%j is refused', (text) => expect(refusalOf(() => readToken(text))).toBe('400 M_UNKNOWN'));

it('a formatted token is read as its position', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (depth, arrival) => {
      expect(readToken(formatRoomToken(depth, arrival))).toEqual({ kind: 'room', depth, arrival });
      expect(readToken(formatSyncToken(arrival))).toEqual({ kind: 'sync', position: arrival });
    }),
  );
});
