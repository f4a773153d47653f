import { describe, expect, it } from 'vitest';
import { compareCodePoints, formatUserId, parseContentUri, parseUserId } from './mod.ts';

describe('a user id', () => {
  it.each([
    ['@alice:test', 'alice', 'test'],
    ['@:test', '', 'test'],
    ['@alice:', 'alice', ''],
    ['@a:[::1]:8448', 'a', '[::1]:8448'],
    ['@a/b|c d:test', 'a/b|c d', 'test'],
  ])('%s is split at its first colon', (id, localpart, domain) => {
    expect(parseUserId(id)).toEqual({ id, localpart, domain });
    expect(formatUserId(localpart, domain)).toBe(id);
  });

  it.each(['', '@', 'alice:test', '@alice', '#alice:test', ' @alice:test'])('%j is not a user id', (id) => {
    expect(parseUserId(id)).toBeUndefined();
  });
});

describe('a content URI', () => {
  it('a content URI is split into server name and media id', () => {
    expect(parseContentUri('mxc://test/abc')).toEqual({ serverName: 'test', mediaId: 'abc' });
  });

  it.each([
    'mxc://',
    'mxc://test',
    'mxc://test/',
    'mxc:///abc',
    'mxc://test/a/b',
    'mxc://test/a?b',
    'https://test/abc',
  ])('%s is not a content URI', (uri) => {
    expect(parseContentUri(uri)).toBeUndefined();
  });
});

it('strings are ordered by code point, beyond the basic plane as well', () => {
  expect(['\u{1F600}', '\uFFFD', 'b', 'B', 'ä'].sort(compareCodePoints)).toEqual([
    'B',
    'b',
    'ä',
    '\uFFFD',
    '\u{1F600}',
  ]);
});
