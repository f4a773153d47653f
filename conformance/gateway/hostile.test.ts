import { describe, expect, it } from 'vitest';
import { fill, servedOnce } from '../served.ts';
import { gatewayChapter } from './gateway-chapter.ts';

const LONG = 'x'.repeat(100_000);

gatewayChapter('Hostile requests', (gateway) => {
  describe('ids of 100,000 characters', () => {
    it.each(servedOnce)('$verb $template', async ({ verb, template }) => {
      const target = fill(template, (variable) => (variable === 'user_id' ? `@${LONG}:test` : LONG));
      const reply = await gateway.http(verb, target, { token: 'nobody', body: {} });
      expect(reply.status).toBeLessThan(500);
    });
  });
});
