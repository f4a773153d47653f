import { expect, it } from 'vitest';
import { refusal } from '../refusal.ts';
import { gatewayChapter } from './gateway-chapter.ts';

const TOKEN = 'a token for the scraper';

/** The headers with which proxies forward requests, none of which is required. */
const FORWARDED: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'x-forwarded-for': '192.0.2.1' },
  { 'x-forwarded-for': '127.0.0.1' },
  { forwarded: 'for=192.0.2.1' },
  { via: '1.1 proxy' },
];

gatewayChapter('Metrics by default', (gateway) => {
  it.each(FORWARDED)(
    'metrics by default are not served on the public port, with the headers %j',
    async (headers) => {
      for (const token of [undefined, gateway.admin.token]) {
        const request = { headers, ...(token === undefined ? {} : { token }) };
        expect(await gateway.http('GET', '/metrics', request)).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
      }
    },
  );
});

gatewayChapter(
  'Metrics with a token',
  (gateway) => {
    it('metrics with a token are served to callers that know it', async () => {
      const reply = await gateway.http('GET', '/metrics', { token: TOKEN });
      expect(reply.status).toBe(200);
      expect(reply.text).toContain('process_resident_memory_bytes');
    });

    it.each(FORWARDED)('metrics with a token are refused to others, with the headers %j', async (headers) => {
      const get = (token?: string) =>
        gateway.http('GET', '/metrics', { headers, ...(token === undefined ? {} : { token }) });
      expect(await get()).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
      expect(await get(`${TOKEN}x`)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
      expect(await get(gateway.admin.token)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
    });
  },
  { telemetry: { metrics_token: TOKEN } },
);

gatewayChapter(
  'Metrics with a port of their own',
  (gateway) => {
    it('metrics with a port of their own are not served on the public port, not even with the token', async () => {
      const reply = await gateway.http('GET', '/metrics', { token: TOKEN });
      expect(reply).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
    });
  },
  { telemetry: { metrics_token: TOKEN, metrics_port: 1 } },
);
