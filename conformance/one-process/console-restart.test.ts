import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { it } from 'vitest';
import { ownChapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';

ownChapter('The console while the server restarts', (world) => {
  withChromium(world, ['pages/overview'], (chromium) => {
    it('goes on with the same session, and shows what happens from then on', async () => {
      // A server that is restarted here gets another port; the address that the browser has stays.
      const proxy = createServer((socket) => {
        const server = connect(Number(new URL(world.running.url).port), '127.0.0.1');
        socket.on('error', () => server.destroy());
        server.on('error', () => socket.destroy());
        socket.pipe(server).pipe(socket);
      });
      proxy.listen(0, '127.0.0.1');
      await once(proxy, 'listening');
      const user = await world.user('restart', { admin: true });
      const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const browserSession = await chromium.browserSession(user, { origin });
      try {
        const page = await browserSession.open('/');
        const live = page.locator('[data-live=connected]');
        await live.waitFor();
        const lost = page.locator('[data-live=reconnecting]').waitFor();
        await world.restart();
        await lost;
        await live.waitFor();
        await world.admin.post('/_service/admin/v1/registration_tokens/new', { body: {} });
        await page.getByText('registration_token.created').waitFor();
      } finally {
        await browserSession.context.close();
        proxy.close();
      }
    });
  });
});
