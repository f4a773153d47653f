import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { deviceKeysOf, newCrossSigning, newSigningKey, signed } from '../signing-key.ts';

interface Account {
  readonly displayname: string | null;
  readonly admin: 0 | 1;
  readonly locked: boolean;
  readonly suspended: boolean;
  readonly deactivated: 0 | 1;
  readonly erased: boolean;
}

const TABS = ['Devices', 'Sessions', 'Rooms', 'Media', 'Activity', 'Reports', 'Limits', 'Roles', 'Pushers'];

chapter('Administering users in the console', (world) => {
  const account = async (userId: string) =>
    (await world.admin.get<Account>(path`/_service/admin/v2/users/${userId}`)).body;

  const staff = async (role: string) => {
    const user = await world.user(role);
    await world.admin.put(path`/_service/admin/v1/users/${user.userId}/roles`, { body: { roles: [role] } });
    return user;
  };

  withChromium(world, ['pages/users'], (chromium) => {
    it('creates a user, locks several at once, and erases one whose id is typed', async () => {
      const browserSession = await chromium.browserSession(world.admin);
      const taken = await world.user('taken');
      const name = world.freshName('made');
      const userId = taken.userId.replace(taken.localpart, name);

      const page = await browserSession.open('/users');
      await page.getByRole('button', { name: 'Create a user' }).click();
      const creation = page.getByRole('dialog', { name: 'Create a user' });
      await creation.getByLabel('User name').fill(taken.localpart);
      await creation.getByText('This name is taken.').waitFor();
      await creation.getByLabel('User name').fill(name);
      await creation.getByText(`${userId} is free.`).waitFor();
      await creation.getByLabel('Display name').fill('Ełżbieta');
      await creation.getByRole('button', { name: 'Generate' }).click();
      await creation.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Ełżbieta' }).waitFor();
      expect(await account(userId)).toMatchObject({ displayname: 'Ełżbieta', admin: 0 });

      // A text that begins with @ is a part of an id. The list is kept in the URL.
      await page.getByRole('link', { name: 'Users' }).click();
      await page.getByRole('searchbox').fill(`\u2068@${name}\u2069 `);
      await page.waitForURL(/name=%40/);
      await page.getByRole('checkbox', { name: `Select ${userId}` }).check();
      await page.getByRole('searchbox').fill(taken.localpart);
      await page.waitForURL(/name=taken/);
      await page.getByRole('checkbox', { name: `Select ${taken.userId}` }).check();
      await page.getByRole('button', { name: 'Order for all selected' }).click();
      await page.getByRole('menuitem', { name: 'Lock', exact: true }).click();
      const bulk = page.getByRole('dialog', { name: 'Lock: 2 items' });
      await bulk.getByRole('button', { name: 'Lock', exact: true }).click();
      await bulk.getByText('2 done, 0 refused, 0 not sent').waitFor();
      await bulk.getByRole('button', { name: 'Close' }).last().click();
      expect([await account(userId), await account(taken.userId)]).toMatchObject([
        { locked: true },
        { locked: true },
      ]);
      await page.getByRole('row').filter({ hasText: taken.userId }).getByText('Locked').waitFor();

      await page.getByRole('link', { name: taken.userId }).click();
      await page.getByRole('button', { name: 'All orders' }).click();
      await page.getByRole('menuitem', { name: 'Erase' }).click();
      const erasure = page.getByRole('dialog', { name: 'Erase' });
      await erasure.getByText('It cannot be undone.').waitFor();
      const confirm = erasure.getByRole('button', { name: 'Erase' });
      await erasure.getByLabel(/^Type @/).fill(userId);
      expect(await confirm.isDisabled()).toBe(true);
      await erasure.getByLabel(/^Type @/).fill(`\u2068${taken.userId}\u2069`);
      await confirm.click();
      await page.getByRole('main').getByText('Erased', { exact: true }).first().waitFor();
      expect(await account(taken.userId)).toMatchObject({ deactivated: 1, erased: true });

      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('shows a change that another browser has made', async () => {
      const user = await world.user('watched');
      const browserSession = await chromium.browserSession(world.admin);
      const page = await browserSession.open(`/users/${encodeURIComponent(user.userId)}`);
      await page.locator('[data-live="connected"]').waitFor();
      await page.getByRole('button', { name: 'Suspend' }).waitFor();
      await world.admin.put(path`/_service/admin/v1/suspend/${user.userId}`, { body: { suspend: true } });
      await page.getByRole('button', { name: 'Lift the suspension' }).waitFor();
      await page.getByRole('main').getByText('Suspended', { exact: true }).first().waitFor();
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('shows which devices are verified, what waits for them, and the key backup', async () => {
      const user = await world.user('encrypts');
      const own = deviceKeysOf(user, newSigningKey());
      const { body: keys, selfSigning } = newCrossSigning(user.userId);
      await user.post('/_proto/client/v3/keys/device_signing/upload', { body: keys });
      const device_keys = signed(own, user.userId, `ed25519:${selfSigning.publicKey}`, selfSigning);
      await user.post('/_proto/client/v3/keys/upload', { body: { device_keys } });
      await user.post('/_proto/client/v3/room_keys/version', {
        body: { algorithm: 'm.test', auth_data: {} },
      });
      await world.login(user);
      await user.put('/_proto/client/v3/sendToDevice/m.test/1', {
        body: { messages: { [user.userId]: { [user.deviceId]: {} } } },
      });
      const browserSession = await chromium.browserSession(await staff('support'));
      const page = await browserSession.open(`/users/${encodeURIComponent(user.userId)}?tab=devices`);
      const encryption = page.getByRole('table', { name: 'Encryption' });
      const row = encryption.getByRole('row').filter({ hasText: user.deviceId });
      await row.getByText('verified by the user').waitFor();
      expect(await row.getByRole('cell').nth(2).textContent()).toBe('1');
      await encryption.getByText('without keys').waitFor();
      await page.getByText('version 1, 0 keys').waitFor();
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('offers an auditor every tab, no order, and nothing that is refused', async () => {
      const auditor = await staff('auditor');
      const browserSession = await chromium.browserSession(auditor);
      const page = await browserSession.open('/users?is_locked=false&order_by=creation_ts&dir=b');
      await page.getByRole('link', { name: auditor.userId }).waitFor();
      expect(await page.getByRole('button', { name: 'Create a user' }).count()).toBe(0);
      expect(await page.getByRole('checkbox').count()).toBe(0);
      await page.getByRole('link', { name: auditor.userId }).click();
      for (const tab of TABS) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tab', { name: tab, selected: true }).waitFor();
        const panel = page.getByRole('tabpanel', { name: tab });
        await panel.locator('h2, p').first().waitFor();
        await panel.getByLabel('Loading').first().waitFor({ state: 'detached' });
      }
      expect(await page.getByRole('tab', { name: 'Account data' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'All orders' }).count()).toBe(0);
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('disables the orders about an account with rights that the reader lacks, and says which', async () => {
      const role = world.freshName('desk');
      const body = { name: role, scopes: ['users:read', 'users:write', 'access:read'] };
      await world.admin.post('/_service/admin/v1/roles', { body });
      const clerk = await world.user('clerk');
      await world.admin.put(path`/_service/admin/v1/users/${clerk.userId}/roles`, {
        body: { roles: [role] },
      });
      const moderator = await staff('moderator');
      const browserSession = await chromium.browserSession(clerk);
      const page = await browserSession.open(`/users/${encodeURIComponent(moderator.userId)}`);
      await page.getByText(/rights that you lack: .*rooms:write/).waitFor();
      expect(await page.getByRole('button', { name: 'Lock' }).isDisabled()).toBe(true);
      await page.goto(`/_service/console/users/${encodeURIComponent((await world.user('plain')).userId)}`);
      await page.getByRole('button', { name: 'Lock' }).waitFor();
      expect(await page.getByRole('button', { name: 'Lock' }).isDisabled()).toBe(false);
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('disables the orders about a server administrator for who may not read roles', async () => {
      const browserSession = await chromium.browserSession(await staff('support'));
      const page = await browserSession.open(`/users/${encodeURIComponent(world.admin.userId)}`);
      await page.getByText('It belongs to a server administrator.').waitFor();
      expect(await page.getByRole('button', { name: 'Lock' }).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Reset the password' }).isDisabled()).toBe(true);
      browserSession.expectNoProblems();

      // Of several, those who are stronger are refused with what is missing.
      await page.goto(`/_service/console/users?name=${encodeURIComponent(world.admin.userId)}`);
      await page.getByRole('checkbox', { name: `Select ${world.admin.userId}` }).check();
      await page.getByRole('button', { name: 'Order for all selected' }).click();
      await page.getByRole('menuitem', { name: 'Lock', exact: true }).click();
      const bulk = page.getByRole('dialog', { name: 'Lock: one item' });
      await bulk.getByRole('button', { name: 'Lock', exact: true }).click();
      await bulk.getByText('The account has the scope users:impersonate, which you do not have').waitFor();
      await browserSession.context.close();
    });
  });
});
