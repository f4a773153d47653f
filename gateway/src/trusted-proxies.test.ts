import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { TrustedProxies } from './trusted-proxies.ts';

const proxies = new TrustedProxies(['loopback', '10.0.0.0/8', '2001:db8:ff::1']);

/** The client of a request from a connection, with these headers. */
const clientOf = (peer: string | undefined, headers: IncomingMessage['headers']) =>
  proxies.clientOf({ socket: { remoteAddress: peer }, headers } as IncomingMessage);

it.each(
  [
    ['198.51.100.7', '198.51.100.7'],
    ['198.51.100.7:1111', '198.51.100.7'],
    ['198.51.100.7:_port', '198.51.100.7'],
    ['[2001:DB8::0:7]:443', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['2001:db8::7%eth0', '2001:db8::7'],
    ['[fe80::7%25eth0]:1', 'fe80::7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['[::ffff:c633:6407]:80', '198.51.100.7'],
    // From right to left, as far as proxies state it.
    ['198.51.100.7, 10.1.1.1:80', '198.51.100.7'],
    ['203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['rubbish, 198.51.100.7 , ', '198.51.100.7'],
    ['198.51.100.7,, ::ffff:10.1.1.1,[2001:db8:ff::1]', '198.51.100.7'],
    ['10.1.1.1', '10.1.1.1'],
    ['198.51.100.7, unknown', '127.0.0.1'],
    ['198.51.100.7, rubbish, 10.1.1.1', '10.1.1.1'],
    ...[
      'unknown',
      '_x',
      '',
      ' ',
      ',',
      'rubbish',
      '198.51.100',
      '198.51.100.7:',
      '198.51.100.7:x',
      '198.51.100.7:123456',
    ],
    ...[
      '[198.51.100.7',
      '198.51.100.7]',
      '[]',
      '::1::',
      'example.org',
      '198.51.100.7/24',
      '<script>',
      '0x7f.1',
    ],
  ].map((row) => (typeof row === 'string' ? ([row, '127.0.0.1'] as const) : row)),
)('reads X-Forwarded-For: %s as %s', (header, client) => {
  expect(clientOf('127.0.0.1', { 'x-forwarded-for': header })).toBe(client);
  // Neither a port nor a prefix of the peer makes it another one.
  expect(clientOf('::ffff:127.0.0.1', { 'x-forwarded-for': header })).toBe(client);
});

it.each([
  ['for=198.51.100.7', '198.51.100.7'],
  ['For="198.51.100.7:1111";proto=https;by=203.0.113.43', '198.51.100.7'],
  ['by=203.0.113.43; for="[2001:db8:cafe::17]:4711" ;host="a,b;for=1"', '2001:db8:cafe::17'],
  ['for=203.0.113.9, for=198.51.100.7, for=10.1.1.1', '198.51.100.7'],
  ['for=198.51.100.7;host="a\\"b", for="[::ffff:10.1.1.1]"', '198.51.100.7'],
  ['for=198.51.100.7, for=unknown', '127.0.0.1'],
  ['for=198.51.100.7, proto=http', '127.0.0.1'],
  ['for=_hidden', '127.0.0.1'],
  ['for="_gazonk"', '127.0.0.1'],
  ['for=', '127.0.0.1'],
  ['proto=https', '127.0.0.1'],
  ['for="198.51.100.7', '127.0.0.1'],
  ['198.51.100.7', '127.0.0.1'],
  ['', '127.0.0.1'],
])('reads Forwarded: %s as %s', (forwarded, client) => {
  expect(clientOf('127.0.0.1', { forwarded })).toBe(client);
});

it('believes proxies only, and X-Forwarded-For rather than Forwarded', () => {
  const both = { 'x-forwarded-for': '198.51.100.7', forwarded: 'for=203.0.113.9' };
  expect(clientOf('127.0.0.1', both)).toBe('198.51.100.7');
  expect(clientOf('127.0.0.1', { ...both, 'x-forwarded-for': 'unknown' })).toBe('127.0.0.1');
  expect(clientOf('192.0.2.1', both)).toBe('192.0.2.1');
  expect(clientOf('::ffff:192.0.2.1', both)).toBe('192.0.2.1');
  expect(clientOf('2001:db8:ff::2', both)).toBe('2001:db8:ff::2');
  expect(clientOf(undefined, both)).toBe('');
});

it.each([
  ['loopback', ['127.0.0.1', '::ffff:127.9.9.9', '::1'], ['10.0.0.1', '::2']],
  ['linklocal', ['169.254.1.1', 'fe80::1%eth0', 'febf::1'], ['169.253.1.1', 'fec0::1']],
  ['uniquelocal', ['10.1.1.1', '172.31.0.1', '192.168.0.1', 'fd00::1'], ['172.32.0.1', 'fe00::1']],
  ['2001:db8::/32', ['2001:db8:1::1'], ['2001:db9::1', '127.0.0.1']],
  ['192.0.2.0/24', ['192.0.2.255'], ['192.0.3.1', '', 'rubbish']],
])('knows the range %s', (range, inside, outside) => {
  const one = new TrustedProxies([range]);
  expect(inside.filter((address) => !one.has(address))).toEqual([]);
  expect(outside.filter((address) => one.has(address))).toEqual([]);
});
