import { readFile } from 'node:fs/promises';
import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { userWithRoles } from '../console/with-roles.ts';

const ROLES = '/_service/admin/v1/roles';
const CHECKPOINTS = '/_service/admin/v1/audit_log/checkpoints';

/** Answers of the verification of parts of a log. */
const INTACT = {
  valid: true,
  complete: true,
  hash: 'f'.repeat(64),
  checkpoints: 1,
  signed: 1,
  unchained: 0,
  error: null,
};
const FAULT = { kind: 'entry_missing', number: 10_006, id: null, message: 'There is no entry 10006' };

chapter('The audit log in the console', (world) => {
  withChromium(world, ['pages/audit'], (chromium) => {
    it('shows an auditor what was changed, by whom and why', async () => {
      const auditor = await userWithRoles(world, 'auditor');
      const name = world.freshName('reviewers');
      await world.admin.post(ROLES, { body: { name, description: 'Before', scopes: ['users:read'] } });
      const browserSession = await chromium.browserSession(auditor);
      const page = await browserSession.open(`/audit?target=${name}`);
      await page.getByRole('link', { name: 'created the role' }).waitFor();

      // What is done now shows without a reload.
      await world.admin.put(path`/_service/admin/v1/roles/${name}`, {
        body: { description: 'After', scopes: ['users:read', 'rooms:read'] },
        headers: { 'x-steward-reason': 'They look after rooms, too' },
      });
      await page.getByRole('link', { name: 'changed the role' }).click();
      const entry = page.getByRole('complementary', { name: 'Entry' });
      await entry.getByText('They look after rooms, too', { exact: true }).waitFor();
      await entry.getByRole('link', { name: world.admin.userId }).first().waitFor();
      const changes = entry.getByRole('table', { name: 'What it set' });
      await changes.getByRole('deletion').getByText('Before', { exact: true }).waitFor();
      expect(await changes.getByRole('insertion').allTextContents()).toEqual([
        expect.stringContaining('After'),
        expect.stringContaining('rooms:read'),
      ]);

      // The link opens the entry, and its request leads to all that it did.
      await page.reload();
      await entry.getByRole('link', { name: /^All entries with (?!@|reviewers)/ }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get('request_id')).not.toBeNull();
      await expect
        .poll(() => page.getByRole('table', { name: 'Audit log' }).getByRole('row').count())
        .toBe(2);
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('verifies and exports the log, and makes checkpoints for those who may', async () => {
      const auditor = await userWithRoles(world, 'auditor');
      const reader = await chromium.browserSession(auditor);
      const page = await reader.open('/audit?tab=proof');
      await page.getByRole('button', { name: 'Verify the log' }).click();
      await page.getByText('The log is intact').waitFor();
      expect(await page.getByRole('button', { name: 'Make a checkpoint' }).count()).toBe(0);

      // A long log is verified in parts, of which the second one has a fault here.
      const parts = [
        {
          ...INTACT,
          complete: false,
          entries: 10_000,
          first_number: 1,
          last_number: 10_000,
          next_number: 10_001,
        },
        { ...INTACT, valid: false, entries: 5, first_number: 10_001, last_number: 10_005, error: FAULT },
      ];
      await page.route('**/audit_log/verify*', (route) => {
        const second = new URL(route.request().url()).searchParams.get('from_number') === '10001';
        return route.fulfill({ json: parts[second ? 1 : 0] });
      });
      await page.getByRole('button', { name: 'Verify again' }).click();
      const result = page.getByRole('status').filter({ hasText: 'The log is not intact' });
      await result.getByText('No entry has this number', { exact: false }).waitFor();
      await result.getByText('10,005', { exact: true }).waitFor();
      reader.expectNoProblems();
      await reader.context.close();

      const browserSession = await chromium.browserSession(world.admin);
      const proof = await browserSession.open('/audit?tab=proof');
      await proof.getByRole('button', { name: 'Make a checkpoint' }).click();
      await proof.getByRole('dialog').getByRole('button', { name: 'Make a checkpoint' }).click();
      await proof.getByText(/^The checkpoint is at number/).waitFor();
      const { checkpoints } = (
        await world.admin.get<{ checkpoints: { number: number; hash: string }[] }>(CHECKPOINTS)
      ).body;
      const [made] = checkpoints;
      await proof
        .getByText(made?.hash ?? 'none')
        .first()
        .waitFor();

      const from = Math.max((made?.number ?? 1) - 3, 1);
      await proof.getByLabel('From number').fill(String(from));
      const download = proof.waitForEvent('download');
      await proof.getByRole('button', { name: 'Export', exact: true }).click();
      const file = await download;
      const lines = (await readFile(await file.path(), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string; number?: number; hash?: string });
      expect(file.suggestedFilename()).toBe('audit-log.ndjson');
      expect(lines[0]).toMatchObject({ kind: 'header', after: from - 1 });
      expect(lines).toContainEqual(expect.objectContaining({ kind: 'checkpoint', hash: made?.hash }));
      expect(lines.at(-1)).toMatchObject({ kind: 'end' });
      await proof.getByText(/^The export is complete/).waitFor();
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });
  });
});
