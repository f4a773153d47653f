import { type Actor, path } from '@steward/testing';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { image } from '../images.ts';
import { downloadStatus, uploadFile } from '../media-files.ts';

const NOT_FOUND = 404;

chapter('Media in the console', (world) => {
  withChromium(world, ['pages/media'], (chromium) => {
    let uploader: Actor;
    const upload = async (name: string, width: number) =>
      uploadFile(uploader, { bytes: await image('png', width, 40), name, type: 'image/png' });
    const ofUploader = () => `user_id=${encodeURIComponent(uploader.userId)}`;

    beforeAll(async () => {
      uploader = await world.user('console-uploader');
    });

    it('loads nothing before it is asked for, and quarantines, deletes and lists a medium', async () => {
      const admin = await world.user('console-media-admin', { admin: true });
      const mediaId = await upload('holiday.png', 61);
      const browserSession = await chromium.browserSession(admin);
      const page = await browserSession.open(`/media?${ofUploader()}`);
      const thumbnails: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/thumbnail')) thumbnails.push(request.url());
      });
      await page.getByRole('link', { name: 'holiday.png' }).click();
      // The list has a preview of the same name, until the page of the medium is loaded.
      await page.getByRole('heading', { level: 1, name: 'holiday.png' }).waitFor();
      const preview = page.getByRole('button', { name: 'Show: holiday.png' });
      await preview.waitFor();
      expect(thumbnails).toEqual([]);
      await preview.press('Enter');
      await page.getByRole('img', { name: 'holiday.png' }).waitFor();
      expect(thumbnails).toHaveLength(1);
      await preview.press('Enter');
      await page.getByRole('img', { name: 'holiday.png' }).waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Quarantine', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Quarantine' }).click();
      await page.getByRole('button', { name: 'In quarantine: show: holiday.png' }).waitFor();
      expect(await downloadStatus(world, uploader, mediaId)).toBe(NOT_FOUND);

      await page.getByRole('button', { name: 'List its bytes as known-bad content' }).click();
      await page.getByRole('radio', { name: /^Refuse/ }).check();
      await page.getByRole('dialog').getByRole('button', { name: 'List its bytes' }).click();
      await page.getByText('1 added, 0 updated').waitFor();

      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByLabel('Type delete to confirm').fill('delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
      const medium = path`/_service/admin/v1/media/${world.serverName}/${mediaId}`;
      expect((await world.admin.get(medium)).status).toBe(NOT_FOUND);
      await page.getByRole('tab', { name: 'Known-bad content' }).click();
      await page.getByRole('row').getByText('Refuse').first().waitFor();
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('carries out an order for all that a filter selects, after it has counted them', async () => {
      const admin = await world.user('console-media-orders', { admin: true });
      // Of an uploader of their own: the filter selects no others.
      uploader = await world.user('console-uploader-of-three');
      const mediaIds = [await upload('one.png', 71), await upload('two.png', 72), await upload('x.png', 73)];
      const browserSession = await chromium.browserSession(admin);
      // What is not well-formed in a link is not a filter.
      const page = await browserSession.open(`/media?layout=grid&${ofUploader()}&size_min=x`);
      await page.getByRole('listitem').filter({ hasText: 'two.png' }).waitFor();
      await page.getByRole('button', { name: 'Never downloaded' }).click();
      await page.getByText(/^3 media,/).waitFor();
      expect(new URL(page.url()).searchParams.get('never_accessed')).toBe('true');

      await page.getByRole('button', { name: 'Orders for all that match' }).click();
      await page.getByRole('menuitem', { name: 'Protect from quarantine' }).click();
      await page.getByText(/^The filters select 3 media/).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Protect from quarantine' }).click();
      await page.getByText(/^The order is carried out: 3 media/).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('listitem').filter({ hasText: 'Protected' }).nth(2).waitFor();
      for (const id of mediaIds) {
        const { text } = await world.admin.get(path`/_service/admin/v1/media/${world.serverName}/${id}`);
        expect(text).toContain('"safe_from_quarantine":true');
      }
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('shows an auditor all of it, and offers nothing that the server would refuse', async () => {
      const auditor = await world.user('console-media-auditor');
      const roles = path`/_service/admin/v1/users/${auditor.userId}/roles`;
      await world.admin.put(roles, { body: { roles: ['auditor'] } });
      const mediaId = await upload('evidence.png', 81);
      await world.admin.post(path`/_service/admin/v1/media/quarantine/${world.serverName}/${mediaId}`);
      const browserSession = await chromium.browserSession(auditor);
      const page = await browserSession.open(`/media?${ofUploader()}`);
      await page.getByRole('img', { name: 'evidence.png: In quarantine' }).waitFor();
      await page.getByLabel('Show all previews').check();
      expect(await page.getByRole('button', { name: 'Orders for all that match' }).count()).toBe(0);
      expect(await page.getByRole('tab', { name: 'Maintenance' }).count()).toBe(0);
      for (const tab of ['Usage by user', 'Known-bad content', 'Quarantine changes']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).waitFor();
      }
      await page
        .getByRole('link', { name: new RegExp(mediaId) })
        .first()
        .click();
      await page.getByText('Content URI').waitFor();
      expect(await page.getByRole('heading', { name: 'Orders' }).count()).toBe(0);
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });
  });
});
