import { expect, it } from 'vitest';
import { changedSettings } from './changed-settings.ts';
import { loadConfig } from './load.ts';

it('names what differs from the defaults', () => {
  expect(changedSettings(loadConfig({ env: {} }))).toEqual({});
  const env = {
    STEWARD_SERVER_NAME: 'example.org',
    STEWARD_CONFIG_OVERRIDES: '{"rate_limits":{"challenge":{"burst":7}}}',
  };
  expect(changedSettings(loadConfig({ env }))).toEqual({
    'server.name': 'example.org',
    'rate_limits.challenge.burst': 7,
  });
});

it('contains no secret', () => {
  const env = {
    STEWARD_REGISTRATION_SHARED_SECRET: 'hush',
    STEWARD_INTERNAL_CREDENTIAL: 'hush'.repeat(8),
    STEWARD_METRICS_TOKEN: 'hush'.repeat(8),
    STEWARD_STORE: 'mongodb://user:hu%40sh@db1,db2/steward',
    STEWARD_NATS_URL: 'nats://hush@bus1:4222,nats://a:hu@hush@bus2:4222',
  };
  const changed = changedSettings(loadConfig({ env }));
  expect(JSON.stringify(changed)).not.toContain('sh@db1');
  expect(JSON.stringify(changed)).not.toContain('hush');
  expect(changed).toMatchObject({
    'registration.shared_secret': '[redacted]',
    'store.url': 'mongodb://[redacted]@db1,db2/steward',
    'bus.nats_url': 'nats://[redacted]@bus1:4222,nats://[redacted]@bus2:4222',
  });
});

it('contains no secret parameter of a URL', () => {
  const url =
    'mongodb://db/steward?tls=true&tlsCertificateKeyFilePassword=hush&proxyPassword=hush&appName=one';
  expect(changedSettings(loadConfig({ env: { STEWARD_STORE: url } }))).toEqual({
    'store.url': url.replaceAll('hush', '[redacted]'),
  });
});
