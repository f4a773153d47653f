import { expect, it } from 'vitest';
import { firstAdministrator } from './first-administrator.ts';

const lines = (url: string, data: string, secretFrom = `${data}/registration_shared_secret`) =>
  firstAdministrator({
    url,
    config: { server: { data } } as Parameters<typeof firstAdministrator>[0]['config'],
    secretFrom,
    heading: 'Create one:',
  });

it.each([
  ['http://127.0.0.1:8008', './data', 'npm run register -- --admin alice'],
  ['http://127.0.0.1:9000', './data', 'STEWARD_PORT=9000 npm run register -- --admin alice'],
  [
    'http://127.0.0.1:9000',
    '/tmp/x',
    'STEWARD_PORT=9000 STEWARD_DATA=/tmp/x npm run register -- --admin alice',
  ],
  ['http://127.0.0.1:8008', "/tmp/it's", "STEWARD_DATA='/tmp/it'\\''s' npm run register -- --admin alice"],
  ['http://10.0.0.1:9000', './data', 'npm run register -- --admin alice --url http://10.0.0.1:9000'],
])('of a server at %s with %s, has what the command needs', (url, data, command) => {
  expect(lines(url, data)).toEqual(['Create one:', '', `  ${command}`, '']);
});

it('says what is missing when the secret is configured elsewhere, or off', () => {
  expect(lines('http://127.0.0.1:8008', '/x', 'as configured')[2]).toBe(
    "  npm run register -- --admin alice --secret-file '<file with the configured secret>'",
  );
  expect(lines('http://127.0.0.1:8008', '/x', 'off')[0]).toContain('registration.shared_secret');
});
