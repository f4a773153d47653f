import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { withChromium } from './console/chromium.ts';

chapter('The console when something fails in the middle', (world) => {
  withChromium(world, ['pages/tasks'], (chromium) => {
    /** An administrator with a task that runs on, and its page in the console. */
    const openTask = async (name: string) => {
      const user = await world.user(name, { admin: true });
      const id = `task-of-${user.localpart}`;
      const room = `!${name}:${world.serverName}`;
      await world.seed?.task({ id, kind: 'room.delete', target: room, requestedBy: user.userId });
      const browserSession = await chromium.browserSession(user);
      const page = await browserSession.open(`/tasks/${id}`);
      await page.getByRole('button', { name: 'Cancel the task' }).click();
      const dialog = page.getByRole('dialog');
      const send = dialog.getByRole('button', { name: 'Cancel the task' });
      /** How often the order has reached the server. */
      const entries = async () => {
        const { body } = await world.admin.get<{ entries: { target: string; action: string }[] }>(
          `/_service/admin/v1/audit_log?actor=${encodeURIComponent(user.userId)}&limit=100`,
        );
        return body.entries.filter(({ action }) => /cancel/i.test(action)).length;
      };
      return { user, browserSession, page, dialog, send, entries };
    };

    it('sends an order again whose answer was lost, and it is carried out once', async () => {
      const { browserSession, page, dialog, send, entries } = await openTask('lost-answer');
      // The order arrives at the server, and the connection breaks before its answer does.
      await page.route('**/cancel', async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      });
      await send.click();
      await dialog.getByText('No answer came').waitFor();
      expect(await entries()).toBe(1);
      await page.unroute('**/cancel');
      await send.click();
      await dialog.waitFor({ state: 'detached' });
      expect(await entries()).toBe(1);
      await browserSession.context.close();
    });

    it('sends nothing while the device is offline, and nothing later by itself', async () => {
      const { browserSession, page, dialog, send, entries } = await openTask('offline');
      await browserSession.context.setOffline(true);
      await page.getByRole('alert').getByText('This device is offline').waitFor();
      await send.click();
      await dialog.getByText('No answer came').waitFor();
      await browserSession.context.setOffline(false);
      await page.getByText('This device is offline').waitFor({ state: 'detached' });
      // What waited would be sent now.
      await page.reload();
      await page.getByRole('button', { name: 'Cancel the task' }).waitFor();
      expect(await entries()).toBe(0);
      await browserSession.context.close();
    });

    it('keeps the page when the session ends, and goes on after the next sign-in', async () => {
      const { user, browserSession, page, dialog, send, entries } = await openTask('ended');
      await dialog.getByLabel('Reason').fill('Ticket 4711');
      const { body } = await world.admin.get<{ sessions: { id: string }[] }>(
        path`/_service/admin/v1/users/${user.userId}/sessions`,
      );
      for (const { id } of body.sessions)
        await world.admin.delete(path`/_service/admin/v1/users/${user.userId}/sessions/${id}`);
      // The stream of events ends with the session: the page says so before anything is ordered.
      const ended = page.getByRole('dialog', { name: 'Your session has ended' });
      await ended.getByLabel(/^Password/).fill(user.password);
      await ended.getByRole('button', { name: 'Sign in' }).click();
      await ended.waitFor({ state: 'detached' });
      expect(await dialog.getByLabel('Reason').inputValue()).toBe('Ticket 4711');
      expect(await entries()).toBe(0);
      await send.click();
      await dialog.waitFor({ state: 'detached' });
      expect(await entries()).toBe(1);
      await browserSession.context.close();
    });
  });
});
