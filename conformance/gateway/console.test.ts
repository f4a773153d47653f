import { expect, it } from 'vitest';
import { refusal } from '../refusal.ts';
import { gatewayChapter } from './gateway-chapter.ts';

/** From this size on, set-up compresses files. */
const COMPRESSED_BYTES = 1024;
const PAGES = ['/_service/console', '/_service/console/', '/_service/console/users/@a%2Fb:localhost?tab=1'];

gatewayChapter('Console', (gateway) => {
  it.each(PAGES)('has its page at %s, with a nonce', async (path) => {
    const { status, headers, text } = await gateway.http('GET', path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const [, nonce] = /<script [^>]*nonce="([^"]+)"/.exec(text) ?? [];
    expect(headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('loads files that are served, compressed, and kept by browsers', async () => {
    const { text } = await gateway.http('GET', '/_service/console/');
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files).not.toEqual([]);
    for (const file of files) {
      const { status, headers } = await gateway.http('GET', file, { headers: { 'accept-encoding': 'br' } });
      expect([file, status]).toEqual([file, 200]);
      if (!file.includes('/assets/')) continue;
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      // Small files are not worth it.
      const { length } = (await gateway.http('GET', file)).text;
      if (file.endsWith('.js') && length > COMPRESSED_BYTES) expect(headers['content-encoding']).toBe('br');
    }
  });

  it('has nothing at the path of an asset that does not exist', async () => {
    const answer = await gateway.http('GET', '/_service/console/assets/none.js');
    expect(answer).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('refuses %s', async (verb) => {
    for (const path of PAGES)
      expect(await gateway.http(verb, path)).toMatchObject(refusal(405, 'M_UNRECOGNIZED'));
  });

  it('permits no page of another origin to ask first', async () => {
    const { headers } = await gateway.http('OPTIONS', '/_service/console/');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

gatewayChapter(
  'A console that is switched off',
  (gateway) => {
    it.each(PAGES)('a console that is switched off is not served at %s', async (path) => {
      expect(await gateway.http('GET', path)).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
    });
  },
  { server: { console: false } },
);
