import { expect, it } from 'vitest';
import { refusal } from '../refusal.ts';
import { gatewayChapter } from './gateway-chapter.ts';

const PATHS = [
  '/_service/openapi.json',
  '/_service/docs',
  '/_service/docs/',
  '/_service/docs/client.json',
  '/_service/asyncapi.json',
];

gatewayChapter('Documentation', (gateway) => {
  it.each(PATHS)('documentation is served at %s', async (path) => {
    expect((await gateway.http('GET', path)).status).toBeLessThan(400);
  });
});

gatewayChapter(
  'Documentation that is switched off',
  (gateway) => {
    it.each(PATHS)('documentation that is switched off is not served at %s', async (path) => {
      expect(await gateway.http('GET', path)).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
    });
  },
  { server: { documentation: false } },
);
