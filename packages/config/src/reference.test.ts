import { expect, it } from 'vitest';
import { listSettings } from './list-settings.ts';
import { configReference } from './reference.ts';

it('describes every setting', () => {
  const silent = listSettings().filter(({ governs }) => governs === undefined);
  expect(silent.map(({ path }) => path.join('.'))).toEqual([]);
});

it('has a different environment variable for each setting', () => {
  const names = listSettings().flatMap(({ env }) => env ?? []);
  expect(new Set(names).size).toBe(names.length);
});

it('has a row for each kind of setting', () => {
  const lines = configReference().split('\n');
  const row = (key: string) => lines.find((line) => line.startsWith(`| \`${key}\` `));
  expect(row('server.port')).toContain('| whole number, 0 to 65535 | `8008` | `STEWARD_PORT` | The port');
  expect(row('server.trusted_proxies')).toContain(
    '| list of texts | `loopback` | `STEWARD_TRUSTED_PROXIES` |',
  );
  expect(row('bus.nats_url')).toContain('| text | none | `STEWARD_NATS_URL` |');
  expect(row('media.store')).toContain('| `file`, `gridfs`, `s3` | `file` |');
  expect(row('notices.enabled')).toContain('| flag | `false` |');
  expect(row('rate_limits.message.per_second')).toContain('| number above 0 | `0.2` |  |');
  expect(row('rate_limits.admin_redaction.burst')).toContain('| whole number above 0 | none |  |');
});
