import { it } from 'vitest';
import { ownChapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { openFixedAddress } from '../fixed-address.ts';

ownChapter('The console while the server restarts', (world) => {
  withChromium(world, ['pages/overview'], (chromium) => {
    it('goes on with the same session, and shows what happens from then on', async () => {
      // A server that is restarted here gets another port; the address that the browser has stays.
      const address = await openFixedAddress(() => Number(new URL(world.running.url).port));
      const user = await world.user('restart', { admin: true });
      const browserSession = await chromium.browserSession(user, { origin: address.origin });
      try {
        const page = await browserSession.open('/');
        const live = page.locator('[data-live=connected]');
        await live.waitFor();
        const lost = page.locator('[data-live=reconnecting]').waitFor();
        await world.restart();
        await lost;
        await live.waitFor();
        await world.admin.post('/_service/admin/v1/registration_tokens/new', { body: {} });
        await page.getByText('created a registration token').waitFor();
      } finally {
        await browserSession.context.close();
        await address.close();
      }
    });
  });
});
