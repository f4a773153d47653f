import { describe, expect, it } from 'vitest';
import {
  isEventId,
  isNewAliasLocalpart,
  isRoomAlias,
  isRoomId,
  isServerName,
  isUserId,
  serverNameOf,
} from './ids.ts';

const HASH = 'ljI2RJQdNNdO7hOrzMPrACPxwQZiKxMJhCTJtMXx-hw';

describe('a server name', () => {
  it.each(['test', 'a.example.org', 'a-b.c:8448', '1.2.3.4', '1.2.3.4:80', '[::1]', '[2001:db8::1]:8448'])(
    'can be %s',
    (name) => expect(isServerName(name)).toBe(true),
  );
  it.each(['', ':', 'a b', 'a/b', 'a:', 'a:123456', 'a:b', '::1', '[]', '[::g]', 'ä', 'a\n', 'a_b'])(
    'cannot be %j',
    (name) => expect(isServerName(name)).toBe(false),
  );
});

describe('a room id', () => {
  it.each(['!a:test', '!:test', '!a b:test:80', '!ä:[::1]', `!${HASH}`])('can be %s', (id) => {
    expect(isRoomId(id)).toBe(true);
  });
  it.each([
    '',
    '!',
    '!a',
    '!a:',
    'a:test',
    '#a:test',
    '!a:te st',
    `!${HASH}a`,
    `!${HASH.slice(1)}`,
    `!${HASH.slice(1)}+`,
    `!${'a'.repeat(250)}:test`,
    '!a\0:test',
    '!\ud800:test',
  ])('cannot be %j', (id) => expect(isRoomId(id)).toBe(false));
});

it.each([
  ['#a:test', true],
  ['#ä b:test', true],
  ['#a:b:c', false],
  ['#a', false],
  ['a:test', false],
  [`#${'a'.repeat(249)}:test`, true],
  [`#${'a'.repeat(250)}:test`, false],
])('%s is an alias: %s', (alias, is) => expect(isRoomAlias(alias)).toBe(is));

it.each([
  ['a', true],
  ['ä#!', true],
  ['', false],
  ['a b', false],
  ['a\u00a0b', false],
  ['a\tb', false],
  ['a:b', false],
  ['a\0', false],
  ['\ud800', false],
])('%j can be the localpart of a new alias: %s', (localpart, can) => {
  expect(isNewAliasLocalpart(localpart)).toBe(can);
});

it.each([
  ['$a', true],
  ['$a:test', true],
  ['$ab/c+d', true],
  ['$', false],
  ['a', false],
  [`$${'a'.repeat(255)}`, false],
])('%s can be an event id: %s', (id, can) => expect(isEventId(id)).toBe(can));

it.each([
  ['@a:test', true],
  ['@A/b|c d:test', true],
  ['@a:b:80', true],
  ['@a', false],
  ['a:test', false],
  ['@a:', false],
  ['@a\0:test', false],
])('%j can be a user id: %s', (id, can) => expect(isUserId(id)).toBe(can));

it.each([
  ['@a:test', 'test'],
  ['!a:[::1]:80', '[::1]:80'],
  [`!${HASH}`, ''],
])('the server of %s is %j', (id, name) => expect(serverNameOf(id)).toBe(name));
