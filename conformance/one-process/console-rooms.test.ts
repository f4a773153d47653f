import type { Actor, World } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';

const ADMIN = '/_service/admin/v1';
const CLIENT = '/_proto/client/v3';
const UNKNOWN = 404;

async function withRole(world: World, name: string, role: string): Promise<Actor> {
  const user = await world.user(name);
  await world.admin.put(`${ADMIN}/users/${user.userId}/roles`, { body: { roles: [role] } });
  return user;
}

/** A room with a member and a message. */
async function roomOf(world: World, name: string) {
  const [owner, member] = [await world.user('owner'), await world.user('member')];
  const { body: room } = await owner.post<{ room_id: string }>(`${CLIENT}/createRoom`, {
    body: { name, preset: 'public_chat' },
  });
  const path = encodeURIComponent(room.room_id);
  await member.post(`${CLIENT}/rooms/${path}/join`, { body: {} });
  const { body: message } = await member.put<{ event_id: string }>(
    `${CLIENT}/rooms/${path}/send/m.room.message/1`,
    { body: { msgtype: 'm.text', body: 'Cheap <b>watches</b>' } },
  );
  return { roomId: room.room_id, path, owner, member, eventId: message.event_id };
}

chapter('Rooms in the console', (world) => {
  withChromium(world, ['pages/rooms'], (chromium) => {
    it('finds a room, and what is ordered there happens and shows to others at once', async () => {
      const moderator = await withRole(world, 'rooms-moderator', 'moderator');
      const other = await withRole(world, 'rooms-other', 'moderator');
      const name = world.freshName('garden');
      const { roomId, path, member, eventId } = await roomOf(world, name);
      const [browserSession, second] = [
        await chromium.browserSession(moderator),
        await chromium.browserSession(other),
      ];
      const [page, watching] = [
        await browserSession.open(`/rooms?search_term=${name}`),
        await second.open(`/rooms/${path}`),
      ];
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await watching.getByRole('heading', { level: 1, name }).waitFor();

      await page.getByRole('button', { name: 'Block', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
      await watching.getByText('blocked', { exact: true }).waitFor();
      await watching.getByTitle(moderator.userId).waitFor();
      expect((await world.admin.get(`${ADMIN}/rooms/${path}/block`)).body).toMatchObject({ block: true });

      second.expectNoProblems();
      await second.context.close();

      await page.getByRole('tab', { name: 'Messages' }).click();
      await page.getByText('Cheap <b>watches</b>').waitFor();
      await page.getByRole('button', { name: `Orders for the event ${eventId}` }).click();
      await page.getByRole('menuitem', { name: /^Redact/ }).click();
      await page.getByLabel('Reason for the members').fill('spam');
      await page.getByRole('dialog').getByRole('button', { name: 'Redact' }).click();
      await page.getByText('Redacted by').waitFor();
      expect(await page.getByText('watches').count()).toBe(0);
      const found = await member.get<{ content: object }>(`${CLIENT}/rooms/${path}/event/${eventId}`);
      expect(found.body.content).toEqual({});

      await page.getByRole('tab', { name: 'Members' }).click();
      await page.getByRole('button', { name: `Kick: ${member.userId}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Kick' }).click();
      await page.getByRole('link', { name: member.userId }).waitFor({ state: 'detached' });
      const { body: state } = await world.admin.get<{ members: string[] }>(`${ADMIN}/rooms/${path}/members`);
      expect(state.members).not.toContain(member.userId);

      await page.getByRole('button', { name: 'More orders' }).click();
      await page.getByRole('menuitem', { name: /^Delete the room/ }).click();
      await page.getByRole('button', { name: 'Delete the room' }).click();
      const dialog = page.getByRole('dialog');
      await expect
        .poll(() => dialog.getByRole('button', { name: 'Delete the room' }).isDisabled())
        .toBe(true);
      await dialog.getByLabel(`Type ${roomId} to confirm`).fill(roomId);
      await dialog.getByRole('button', { name: 'Delete the room' }).click();
      await page.getByRole('heading', { level: 1, name: 'Unknown room' }).waitFor();
      await page
        .getByRole('group', { name: /^Deletion/ })
        .getByText('complete')
        .waitFor();
      expect((await world.admin.get(`${ADMIN}/rooms/${path}`)).status).toBe(UNKNOWN);
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('says that the content of an encrypted room cannot be read, and shows who has read how far', async () => {
      const moderator = await withRole(world, 'reads-moderator', 'moderator');
      const { path, owner, member, eventId } = await roomOf(world, world.freshName('vault'));
      await owner.put(`${CLIENT}/rooms/${path}/state/m.room.encryption`, {
        body: { algorithm: 'm.megolm.v1.aes-sha2' },
      });
      await owner.post(`${CLIENT}/rooms/${path}/receipt/m.read/${eventId}`, { body: {} });
      const browserSession = await chromium.browserSession(moderator);
      const page = await browserSession.open(`/rooms/${path}?tab=messages`);
      await page.getByText('The room is encrypted: the server cannot read').waitFor();
      await page.getByTitle(member.userId).first().waitFor();
      await page.getByRole('tab', { name: 'Read' }).click();
      const row = page.getByRole('row').filter({ hasText: owner.userId });
      await row.getByText('all members').waitFor();
      await row.getByRole('link', { name: eventId }).click();
      await page.getByRole('tab', { name: 'Messages', selected: true }).waitFor();
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('shows an auditor who reads no content the rest, and no order', async () => {
      const auditor = await withRole(world, 'rooms-auditor', 'auditor');
      const name = world.freshName('library');
      const { path, member } = await roomOf(world, name);
      const browserSession = await chromium.browserSession(auditor, { width: 390 });
      const page = await browserSession.open(`/rooms?search_term=${name}`);
      await page.getByRole('link', { name }).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByRole('tab', { name: 'Members' }).click();
      await page.getByRole('link', { name: member.userId }).waitFor();
      for (const tab of ['Messages', 'State', 'Aliases']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByText('needs the scope rooms:content').waitFor();
      }
      expect(await page.getByRole('tab', { name: 'Read' }).count()).toBe(0);
      const names = await page.getByRole('main').getByRole('button').allTextContents();
      expect(names.join()).not.toMatch(/block|notice|order|kick|ban|delete/i);
      await page.goto(page.url().replace(path, encodeURIComponent('!gone:example.org')));
      await page.getByRole('heading', { level: 1, name: 'Unknown room' }).waitFor();
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });
  });
});
