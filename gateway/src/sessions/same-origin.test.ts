import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { requireSameOrigin } from './same-origin.ts';
import { Site } from './site.ts';

/** Whether a change with the session cookie is admitted that states an origin. */
function isAdmitted(site: Site, protocol: string, host: string, origin: string): boolean {
  const request = {
    method: 'POST',
    protocol,
    headers: { host, origin, 'x-forwarded-host': 'forged.example' },
  } as unknown as FastifyRequest;
  try {
    requireSameOrigin(site, request, true);
    return true;
  } catch {
    return false;
  }
}

it.each([
  ['http', 'localhost:8008', 'http://localhost:8008', true],
  ['https', 'admin.example.org', 'https://admin.example.org', true],
  ['https', 'ADMIN.example.org:443', 'https://admin.example.org', true],
  ['http', '[::1]:8008', 'http://[::1]:8008', true],
  ['https', 'admin.example.org:8443', 'https://admin.example.org', false],
  ['http', 'admin.example.org', 'https://admin.example.org', false],
  ['https', 'admin.example.org', 'https://admin.example.org.evil.example', false],
  ['https', 'admin.example.org', 'https://example.org', false],
  ['https', 'admin.example.org', 'https://admin.example.org/', false],
  ['https', 'admin.example.org', 'null', false],
  ['https', 'admin.example.org', 'https://forged.example', false],
  ['https', '', 'null', false],
  ['https', 'a b', 'undefined', false],
])('compares the origin of %s and %s with %s', (protocol, host, origin, admitted) => {
  expect(isAdmitted(new Site(undefined), protocol, host, origin)).toBe(admitted);
});

it('knows the configured origin, also behind a proxy that terminates TLS and is not trusted', () => {
  const site = new Site('https://admin.example.org/path');
  const request = { protocol: 'http', headers: { host: '10.0.0.1:8008' } };
  expect(site.isSecure(request as unknown as FastifyRequest)).toBe(true);
  expect(isAdmitted(site, 'http', '10.0.0.1:8008', 'https://admin.example.org')).toBe(true);
  expect(isAdmitted(site, 'http', '10.0.0.1:8008', 'https://other.example.org')).toBe(false);
  expect(new Site('http://admin.example.org').isSecure(request as unknown as FastifyRequest)).toBe(false);
});
