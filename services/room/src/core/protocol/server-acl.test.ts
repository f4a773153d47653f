import { matchesGlob } from '@steward/kernel';
import { describe, expect, it } from 'vitest';
import { isServerAllowed } from './server-acl.ts';

it.each([
  [{ allow: ['*'] }, 'test', true],
  [{}, 'test', false],
  [{ allow: [] }, 'test', false],
  [{ allow: '*' }, 'test', false],
  [{ allow: ['*'], deny: ['*.bad', 1] }, 'test', true],
  [{ allow: ['*'], deny: ['*.bad'] }, 'a.bad:8448', false],
  [{ allow: ['TE?T'] }, 'test:8448', true],
  [{ allow: ['*'], allow_ip_literals: false }, '1.2.3.4:80', false],
  [{ allow: ['*'], allow_ip_literals: false }, '[::1]:80', false],
  [{ allow: ['*'], allow_ip_literals: false }, 'test', true],
  [{ allow: ['*'], allow_ip_literals: 'no' }, '1.2.3.4', true],
])('%j allows %s: %s', (content, serverName, allowed) => {
  expect(isServerAllowed(serverName, content)).toBe(allowed);
});

describe('a pattern', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'ab', false],
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['a*', 'abc', true],
    ['*c', 'abc', true],
    ['*b*', 'abc', true],
    ['a*b*c', 'aXbYbZc', true],
    ['a*b*c', 'aXbYc!', false],
    ['**', 'a', true],
    ['?', '?', true],
    ['?', 'a', false],
    ['a.c', 'abc', false],
  ])('%j matches %j: %s', (pattern, text, matches) => expect(matchesGlob(pattern, text)).toBe(matches));

  it('takes little time, even if it is hostile', () => {
    expect(matchesGlob(`${'*a'.repeat(5_000)}b`, 'a'.repeat(10_000))).toBe(false);
  });
});
