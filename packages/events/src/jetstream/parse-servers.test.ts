import { expect, it } from 'vitest';
import { parseServers } from './parse-servers.ts';

it.each([
  ['nats://a:4000', { servers: ['a:4000'] }],
  ['a', { servers: ['a:4222'] }],
  ['nats://a, nats://b:5000', { servers: ['a:4222', 'b:5000'] }],
  [['nats://[::1]:5000', 'b'], { servers: ['[::1]:5000', 'b:4222'] }],
  ['nats://al:p%40ss@a', { servers: ['a:4222'], user: 'al', pass: 'p@ss' }],
  ['a,nats://t%2Fken@b', { servers: ['a:4222', 'b:4222'], token: 't/ken' }],
  ['tls://a', { servers: ['a:4222'], tls: {} }],
])('reads %j', (servers, expected) => {
  expect(parseServers(servers)).toEqual(expected);
});

it.each(['', ' , ', 'http://a', 'nats://', 'nats://user:secret@a:port'])('refuses %j', (servers) => {
  expect(() => parseServers(servers)).toThrow(TypeError);
});

it('does not show credentials in an error', () => {
  expect(() => parseServers('nats://user:secret@a:port')).toThrow(/^(?!.*secret)/);
});
