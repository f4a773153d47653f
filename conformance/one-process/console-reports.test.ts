import { type Actor, path } from '@steward/testing';
import type { Locator, Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';

const CLIENT = '/_proto/client/v3';
const ADMIN = '/_service/admin';
const TEXT = 'Buy now! 💰';
/** How long the orders of a decision may take. */
const PATIENCE = { timeout: 20_000, interval: 200 };
const WIDE = { width: 1400, height: 900 };

chapter('Moderating reports in the console', (world) => {
  /** A user with a role, and no server administrator. */
  const staff = async (role: string) => {
    const user = await world.user(role);
    await world.admin.put(path`/_service/admin/v1/users/${user.userId}/roles`, { body: { roles: [role] } });
    return user;
  };

  /** A message that a reader of a room reports. */
  const reportedMessage = async () => {
    const [reader, spammer] = [await world.user('reader'), await world.user('spammer')];
    const body = { preset: 'public_chat' };
    const room = (await reader.post<{ room_id: string }>(`${CLIENT}/createRoom`, { body })).body.room_id;
    await spammer.post(path`/_proto/client/v3/join/${room}`, { body: {} });
    const to = path`/_proto/client/v3/rooms/${room}/send/m.room.message/${world.freshName('txn')}`;
    const message = { msgtype: 'm.text', body: TEXT };
    const event = (await spammer.put<{ event_id: string }>(to, { body: message })).body.event_id;
    await reader.post(path`/_proto/client/v3/rooms/${room}/report/${event}`, { body: { reason: 'Spam' } });
    return { reader, spammer, room, event };
  };

  const inboxOf = (room: string) => `/reports?room_id=${encodeURIComponent(room)}`;
  const linkTo = (page: Page, { localpart }: Actor) =>
    page.getByRole('table', { name: 'Reports' }).getByRole('link', { name: `Event by ${localpart}` });
  const openCase = (page: Page) => page.getByRole('region', { name: 'Case', exact: true });

  withChromium(world, ['pages/reports'], (chromium) => {
    it('two moderators see what the other does, and one of two decisions is made', async () => {
      const { reader, spammer, room, event } = await reportedMessage();
      const [first, second] = [await staff('moderator'), await staff('moderator')];
      const [marge, bob] = await Promise.all([
        chromium.browserSession(first, WIDE),
        chromium.browserSession(second, WIDE),
      ]);
      const [here, there] = await Promise.all([marge.open(inboxOf(room)), bob.open(inboxOf(room))]);
      await Promise.all([linkTo(here, spammer).waitFor(), linkTo(there, spammer).waitFor()]);
      await there.getByRole('link', { name: 'Open 1' }).waitFor();

      let looks = 0;
      there.on('request', (request) => {
        if (request.url().includes('/evidence')) looks += 1;
      });

      // Keys, and what the other one sees of them at once.
      await here.keyboard.press('j');
      await here.keyboard.press('Enter');
      await openCase(here).getByText(TEXT, { exact: true }).waitFor();
      await here.keyboard.press('a');
      await here.getByText('The case is assigned to you.').waitFor();
      await there.getByRole('cell', { name: first.userId }).waitFor();
      await there.keyboard.press('j');
      await there.keyboard.press('o');
      await openCase(there).getByText(TEXT, { exact: true }).waitFor();
      await here.keyboard.press('n');
      // Letters that are typed give no orders.
      await here.getByRole('textbox', { name: 'Note' }).pressSequentially('and a decade');
      await here.keyboard.press('Control+Enter');
      await openCase(there).getByText('One note was added').waitFor();
      await openCase(there).getByText(`Changed by ${first.userId}`).waitFor();
      await openCase(there).getByText('and a decade').waitFor();

      // While the decision of one is on its way, the other changes the case: it is refused, and nothing is done.
      let decisions = 0;
      await there.route('**/resolve', async (route) => {
        decisions += 1;
        if (decisions === 1) {
          await here.keyboard.press('t');
          await here.getByRole('textbox', { name: 'Reason' }).press('Enter');
          await openCase(here).getByText('triaged', { exact: true }).first().waitFor();
        }
        await route.continue();
      });
      await there.keyboard.press('d');
      const decision = there.getByRole('region', { name: 'Decide' });
      await decision.locator('button:focus', { hasText: 'Dismiss' }).press('Enter');
      await decision.getByRole('button', { name: 'Resolve the case' }).click();
      await decision.getByText('Details', { exact: true }).click();
      await decision.getByText('M_PRECONDITION_FAILED (412)').waitFor();
      await decision.getByText('State: open → triaged').waitFor();
      expect(await decision.getByRole('button', { name: 'Resolve the case' }).isDisabled()).toBe(true);

      // After another look, the case is decided, and the orders are carried out.
      await decision.getByRole('button', { name: /^I have looked again/ }).click();
      await decision.getByRole('button', { name: 'Remove and suspend' }).click();
      await decision.getByRole('button', { name: 'Resolve the case with 2 orders' }).click();
      const done = openCase(here).getByRole('table', { name: 'Orders' }).getByText('done', { exact: true });
      await done.nth(1).waitFor();
      await openCase(here).getByText(`Changed by ${second.userId}`).waitFor();
      await here.getByRole('link', { name: 'Resolved 1' }).waitFor();

      expect(decisions).toBe(2);
      // The audit log has that the content was looked at, not each change of the case.
      expect(looks).toBe(1);
      const listed = await world.admin.get<{ cases: object[] }>(`${ADMIN}/v1/reports`, {
        query: { group: 'subject', room_id: room },
      });
      expect(listed.body.cases).toMatchObject([
        { state: 'resolved', outcome: 'actioned', assignee: first.userId, changed_by: second.userId },
      ]);
      const suspended = await world.admin.get(path`/_service/admin/v2/users/${spammer.userId}`);
      expect(suspended.body).toMatchObject({ suspended: true });
      const seen = await reader.get(path`/_proto/client/v3/rooms/${room}/event/${event}`);
      expect(seen.body).toMatchObject({ content: {} });
      marge.expectNoProblems();
      expect(bob.problems.filter((problem) => !problem.includes('412'))).toEqual([]);
      await Promise.all([marge.context.close(), bob.context.close()]);
    });

    it('a moderator is warned of a case about themselves, where it is decided', async () => {
      const [moderator, reader] = [await staff('moderator'), await world.user('reader')];
      const body = { reason: 'Rude' };
      await reader.post(path`/_proto/client/v3/users/${moderator.userId}/report`, { body });
      const browserSession = await chromium.browserSession(moderator, WIDE);
      const page = await browserSession.open(`/reports?user_id=${encodeURIComponent(moderator.userId)}`);
      await page.getByRole('link', { name: `User ${moderator.localpart}` }).click();
      await openCase(page).getByText('This case is about you').waitFor();
      await page.keyboard.press('d');
      await page.locator('button:focus', { hasText: 'Dismiss' }).waitFor();
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('a spammer with twelve reports is found and wholly dealt with by four clicks', async () => {
      const [reader, spammer] = [await world.user('reader'), await world.user('spammer')];
      const events: { readonly room: string; readonly event: string }[] = [];
      for (const name of ['one', 'two', 'three', 'four']) {
        const body = { preset: 'public_chat', name };
        const room = (await reader.post<{ room_id: string }>(`${CLIENT}/createRoom`, { body })).body.room_id;
        await spammer.post(path`/_proto/client/v3/join/${room}`, { body: {} });
        for (const nth of [1, 2, 3]) {
          const to = path`/_proto/client/v3/rooms/${room}/send/m.room.message/${world.freshName('txn')}`;
          const message = { msgtype: 'm.text', body: `Invest now, offer ${nth}` };
          const { event_id: event } = (await spammer.put<{ event_id: string }>(to, { body: message })).body;
          const reason = { reason: 'Fraud' };
          await reader.post(path`/_proto/client/v3/rooms/${room}/report/${event}`, { body: reason });
          events.push({ room, event });
        }
      }
      const session = await chromium.browserSession(await staff('moderator'), WIDE);
      const page = await session.open('/');
      let clicks = 0;
      const click = async (target: Locator) => {
        clicks += 1;
        await target.click();
      };
      await click(page.getByRole('navigation').getByRole('link', { name: 'Reports' }));
      const row = page.getByRole('row').filter({ hasText: `12 cases about ${spammer.localpart} in 4 rooms` });
      await row.getByText(/^Invest now, offer/).waitFor();
      await row.getByText('Fraud').waitFor();
      await click(row.getByRole('link', { name: /^12 cases about/ }));
      const decision = page.getByRole('region', { name: 'Decide' });
      await click(decision.getByRole('button', { name: 'Spammer' }));
      await click(decision.getByRole('button', { name: 'Resolve 12 cases' }));
      await page.getByText('11 other cases are resolved, too.').waitFor();
      await row.waitFor({ state: 'hidden' });
      expect(clicks).toBe(4);

      const { cases } = (
        await world.admin.get<{ cases: readonly object[] }>(`${ADMIN}/v1/reports`, {
          query: { group: 'subject', user: spammer.userId },
        })
      ).body;
      expect(cases).toHaveLength(12);
      for (const each of cases) expect(each).toMatchObject({ state: 'resolved', outcome: 'actioned' });
      await vi.waitFor(async () => {
        const account = await world.admin.get(path`/_service/admin/v2/users/${spammer.userId}`);
        expect(account.body).toMatchObject({ locked: true });
        for (const { room, event } of events) {
          const seen = await reader.get(path`/_proto/client/v3/rooms/${room}/event/${event}`);
          expect(seen.body).toMatchObject({ content: {} });
        }
      }, PATIENCE);
      session.expectNoProblems();
      await session.context.close();
    });

    it('cases that are selected with keys are decided at once, and the severity is set with one', async () => {
      const first = await reportedMessage();
      const { room, reader } = first;
      await reader.post(path`/_proto/client/v3/rooms/${room}/report`, { body: { reason: 'All of it' } });
      const session = await chromium.browserSession(await staff('moderator'), WIDE);
      const page = await session.open(inboxOf(room));
      await linkTo(page, first.spammer).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('3');
      await page.getByText('Severity: high').waitFor();
      await page.getByRole('cell', { name: 'high' }).waitFor();
      await page.keyboard.press('x');
      await page.keyboard.press('j');
      await page.keyboard.press('X');
      await page.getByRole('group', { name: '2 selected' }).getByRole('button', { name: 'Decide' }).click();
      const dialog = page.getByRole('dialog', { name: /^Decide/ });
      await dialog.getByRole('button', { name: 'Decide' }).click();
      await dialog.getByText('2 done').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('link', { name: 'Resolved 2' }).waitFor();
      session.expectNoProblems();
      await session.context.close();
    });

    it('an auditor reads the case without what was reported, and is offered no order', async () => {
      const { spammer, room } = await reportedMessage();
      const browserSession = await chromium.browserSession(await staff('auditor'), {
        width: 390,
        height: 844,
        locale: 'de-DE',
      });
      const page = await browserSession.open(inboxOf(room));
      await page
        .getByRole('table', { name: 'Meldungen' })
        .getByRole('link', { name: `Ereignis von ${spammer.localpart}` })
        .click();
      const opened = page.getByRole('region', { name: 'Fall', exact: true });
      await opened.getByText('Eine Meldung', { exact: true }).waitFor();
      await opened.getByText('Was gemeldet wurde, wird nicht gezeigt').waitFor();
      await opened.getByText('Spam', { exact: true }).waitFor();
      expect(await page.getByText(TEXT).count()).toBe(0);
      for (const order of ['Entscheiden', 'Mir zuweisen', 'Notiz hinzufügen'])
        expect(await page.getByRole('button', { name: order }).count()).toBe(0);
      for (const key of ['a', 'd', 't']) await page.keyboard.press(key);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Tasten' }).getByText('Tasten anzeigen').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(1);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Zu allen Meldungen' }).click();
      await page.getByRole('table', { name: 'Meldungen' }).waitFor();
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });
  });
});
