import { expect, it } from 'vitest';
import { banner } from './banner.ts';
import type { Topology } from './start-topology.ts';

it('names the engines without what their URLs contain besides addresses', () => {
  const topology: Topology = {
    url: 'http://127.0.0.1:8008',
    gateways: [],
    user: [],
    room: [],
    media: [],
    moderation: [],
    close: async () => {},
  };
  const printed = banner({
    topology,
    metricsPorts: [],
    store: 'mongodb://user:secret@one,two:2/steward?tlsCertificateKeyFilePassword=secret',
    nats: 'nats://user:sec@ret@one,tls://user:secret@two:5,secret@three',
    secretFrom: 'as configured',
    config: { server: { console: true, data: './data' } } as Parameters<typeof banner>[0]['config'],
  });
  expect(printed).toMatch(/^ {2}Store +one,two:2$/m);
  expect(printed).toMatch(/^ {2}Broker +one:4222, two:5, three:4222$/m);
  expect(printed).toContain('http://127.0.0.1:8008/_service/console/');
  expect(printed).toContain('npm run register -- --admin alice');
  expect(printed).not.toMatch(/secret@|secret$|ret@/m);
});
