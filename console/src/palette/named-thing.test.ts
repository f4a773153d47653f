import { expect, it } from 'vitest';
import { namedThing } from './named-thing.ts';

const DIGEST = '0123456789abcdef0123456789abcdef';

it.each([
  ['@alice:example.org', 'user'],
  ['@alice', undefined],
  ['!room:example.org', 'room'],
  ['!a-room-of-version-12', 'room'],
  ['#hall:example.org', undefined],
  ['mxc://example.org/abc', 'medium'],
  ['mxc://example.org/abc/def', undefined],
  [`case-${DIGEST}-1`, 'report'],
  ['event-17', 'report'],
  [`resolve-case-${DIGEST}-1.2`, 'task'],
  ['AZaz09_-AZaz09_-AZaz09', 'task'],
  ['alice', undefined],
  ['', undefined],
])('%j names: %s', (text, kind) => {
  expect(namedThing(text)?.kind).toBe(kind);
});
