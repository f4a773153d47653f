import { expect, it } from 'vitest';
import { isReachable } from './reachable.ts';

it.each([
  '10.0.0.1',
  '10.0.0.0/8',
  '::1',
  'fd00::/8',
  'localhost',
  'hooks.example.org',
  'xn--bcher-kva.example',
  'a_b',
])('%s can be permitted', (text) => {
  expect(isReachable(text)).toBe(true);
});

it.each([
  ...[
    '',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0',
    '127.1',
    '0x7f000001',
    'loopback/8',
    '[::1]',
    'http://a',
    'a:80',
  ],
  ...['Example.org', 'bücher.example', '*.example.org', 'example.org.', '-a', `${'a'.repeat(64)}.b`],
])('%s cannot', (text) => {
  expect(isReachable(text)).toBe(false);
});
