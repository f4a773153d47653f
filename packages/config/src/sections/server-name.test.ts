import { expect, it } from 'vitest';
import { isServerName } from './server-name.ts';

it.each([
  'localhost',
  'example.org',
  'a-b.example.org:8448',
  '192.0.2.1',
  '192.0.2.1:80',
  '[::1]',
  '[2001:db8::1]:8448',
  'a'.repeat(230),
])('%s is a server name', (name) => {
  expect(isServerName(name)).toBe(true);
});

it.each([
  '',
  'a b',
  'exa_mple.org',
  'https://example.org',
  'example..org',
  '-example.org',
  'example.org.',
  'example.org:',
  'example.org:65536',
  'example.org:80:80',
  '::1',
  '[::g]',
  '256.0.0.1',
  '1.2.3',
  'bücher.example',
  'a'.repeat(231),
])('%s is not a server name', (name) => {
  expect(isServerName(name)).toBe(false);
});
