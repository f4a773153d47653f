import { createClient, type StewardError } from '@steward/sdk';
import { path } from '@steward/testing';
import { KnownMembership, type MatrixClient } from 'matrix-js-sdk';
import { afterAll, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { librarySession, untilSynced } from './library-session.ts';
import { openServer } from './shared-settings.ts';

const TEXT = 'Buy now! 💰';

chapter(
  'A report, from the message to the audit log',
  (world) => {
    const syncing: MatrixClient[] = [];
    afterAll(() => {
      for (const client of syncing) client.stopClient();
    });

    /** A user with a client that synchronizes. */
    const client = async (name: string) => {
      const user = await world.user(name);
      const started = await librarySession(world.running.url, user);
      syncing.push(started);
      await started.startClient();
      return { ...user, library: started };
    };
    /** A user with a role, and no server administrator. */
    const staff = async (role: string) => {
      const user = await world.user(role);
      await world.admin.put(path`/_service/admin/v1/users/${user.userId}/roles`, { body: { roles: [role] } });
      return { ...user, steward: createClient({ baseUrl: world.running.url, token: user.token }) };
    };
    const ifMatch = (etag: string) => ({ headers: { 'if-match': etag } });
    /** Joins the room of server notices that a user is invited to, and waits for the texts in it. */
    const notices = async ({ library }: { readonly library: MatrixClient }) => {
      const invitation = () =>
        library.getRooms().find((room) => room.getMyMembership() === KnownMembership.Invite);
      await untilSynced(library, () => invitation() !== undefined);
      const { roomId = '' } = invitation() ?? {};
      await library.joinRoom(roomId);
      const texts = () =>
        library
          .getRoom(roomId)
          ?.getLiveTimeline()
          .getEvents()
          .filter((event) => event.getType() === 'm.room.message')
          .map((event) => [event.getSender(), event.getContent().body]) ?? [];
      await untilSynced(library, () => texts().length > 0);
      return texts();
    };

    it('a report is decided once, carried out, told to its reporters, proved and recorded', async () => {
      const [alice, bob, spammer] = [await client('alice'), await client('bob'), await client('spammer')];
      const [first, second] = [await staff('moderator'), await staff('moderator')];
      const auditor = await staff('auditor');

      // A message in a room, which two of its readers report.
      const { room_id: room } = await alice.library.createRoom({ preset: 'public_chat' as never });
      for (const { library } of [bob, spammer]) await library.joinRoom(room);
      const { event_id: event } = await spammer.library.sendTextMessage(room, TEXT);
      for (const { library } of [alice, bob]) await library.reportEvent(room, event, -100, 'Spam');

      // Both moderators see one case; of their decisions about the same state, one is refused.
      const inbox = await first.steward.reports.list({ group: 'subject', room_id: room });
      expect(inbox).toMatchObject({
        total: 1,
        counts: { open: 1, triaged: 0, escalated: 0, resolved: 0 },
        cases: [
          { kind: 'event', event_id: event, user_id: spammer.userId, report_count: 2, reporter_count: 2 },
        ],
      });
      const found: string[] = [];
      const cases = first.steward.reports.list({ group: 'subject', room_id: room, limit: 1 });
      for await (const { case_id } of cases) found.push(case_id);
      expect(found).toEqual(inbox.cases.map(({ case_id }) => case_id));
      const { case_id: id = '', etag: seen = '' } = inbox.cases[0] ?? {};
      const triaged = await first.steward.reports.markTriaged({ report_id: id }, ifMatch(seen));
      expect(triaged).toMatchObject({ state: 'triaged', changed_by: first.userId });
      const late = await second.steward.reports
        .resolve({ report_id: id, outcome: 'dismissed' }, ifMatch(seen))
        .catch((error: StewardError) => error);
      expect(late).toMatchObject({
        status: 412,
        errcode: 'M_PRECONDITION_FAILED',
        body: { current: { case_id: id, state: 'triaged', changed_by: first.userId, etag: triaged.etag } },
      });
      const assigned = await first.steward.reports.assign({ report_id: id }, ifMatch(triaged.etag));
      const noted = await second.steward.reports.addNote(
        { report_id: id, text: 'The third time this week' },
        ifMatch(assigned.etag),
      );
      expect(noted).toMatchObject({
        assignee: first.userId,
        notes: [{ author: second.userId, text: 'The third time this week' }],
      });

      // The decision, and what follows from it.
      const resolved = await first.steward.reports.resolve(
        {
          report_id: id,
          outcome: 'actioned',
          reason: 'A wave of spam',
          notify: true,
          orders: [
            { kind: 'redact_event', reason: 'Spam' },
            { kind: 'ban', reason: 'Spam' },
          ],
        },
        ifMatch(noted.etag),
      );
      const { task_id: task = '' } = resolved;
      expect(await first.steward.tasks.wait({ task_id: task })).toMatchObject({
        state: 'complete',
        error: null,
      });
      const decided = await first.steward.reports.get({ report_id: id });
      expect(decided).toMatchObject({
        state: 'resolved',
        outcome: 'actioned',
        history: [
          { by: first.userId, field: 'state', from: 'open', to: 'triaged', reason: null },
          { by: first.userId, field: 'assignee', from: null, to: first.userId, reason: null },
          { by: first.userId, field: 'state', from: 'triaged', to: 'resolved', reason: 'A wave of spam' },
        ],
        resolution: {
          decider: first.userId,
          task_id: task,
          orders: [
            { kind: 'redact_event', state: 'done', errcode: null },
            { kind: 'ban', state: 'done', errcode: null },
          ],
        },
      });

      // The clients of those concerned.
      const thanks =
        'Thank you for your report of a message. Our moderators have looked at it: they took action.';
      for (const reporter of [alice, bob]) {
        expect(await notices(reporter)).toEqual([[world.userId('notices'), thanks]]);
        const message = () => reporter.library.getRoom(room)?.findEventById(event);
        await untilSynced(reporter.library, () => message()?.isRedacted() === true);
        expect(message()?.getContent()).toEqual({});
      }
      const membership = () => spammer.library.getRoom(room)?.getMyMembership();
      await untilSynced(spammer.library, () => membership() === KnownMembership.Ban);
      await expect(spammer.library.joinRoom(room)).rejects.toMatchObject({ httpStatus: 403 });
      expect(spammer.library.getRooms().map(({ roomId }) => roomId)).toEqual([room]);

      // What was reported is still there.
      const { evidence } = await second.steward.reports.getEvidence({ report_id: id });
      expect(evidence).toMatchObject([
        {
          content: {
            event: { sender: spammer.userId, content: { msgtype: 'm.text', body: TEXT } },
            redacted: false,
          },
        },
      ]);

      // The audit log says who ordered what, and is intact.
      const recorded = async () => {
        const { entries } = await auditor.steward.audit.list({ target: `report:${id}` });
        return entries;
      };
      await expect.poll(async () => (await recorded()).every(({ number }) => number !== null)).toBe(true);
      const entries = await recorded();
      const told = entries.map(({ action, actor, outcome }) => `${action} ${actor} ${outcome}`);
      expect(told.toSorted()).toEqual([
        `moderation.add_report_note ${second.userId} ok`,
        `moderation.assign_report ${first.userId} ok`,
        `moderation.get_report_evidence ${second.userId} ok`,
        `moderation.resolve_report ${first.userId} ok`,
        `moderation.resolve_report ${second.userId} refused`,
        `moderation.triage_report ${first.userId} ok`,
        `room.ban_user ${first.userId} ok`,
        `room.redact_event ${first.userId} ok`,
      ]);
      const entryOf = (wanted: string) => entries.find(({ action }) => action === wanted);
      const common = { task_id: task, reason: 'A wave of spam' };
      expect(entryOf('room.redact_event')).toMatchObject({
        ...common,
        targets: expect.arrayContaining([room, event]),
      });
      expect(entryOf('room.ban_user')).toMatchObject({
        ...common,
        targets: expect.arrayContaining([room, spammer.userId]),
      });
      let verified = await auditor.steward.audit.verify();
      while (verified.valid && verified.next_number !== undefined)
        verified = await auditor.steward.audit.verify({ from_number: verified.next_number });
      expect(verified).toMatchObject({ valid: true, complete: true, error: null });
      expect(verified.last_number).toBeGreaterThanOrEqual(
        Math.max(...entries.map(({ number }) => number ?? 0)),
      );
      await expect(first.steward.audit.verify()).rejects.toMatchObject({
        status: 403,
        errcode: 'M_FORBIDDEN',
      });
    });
  },
  { config: openServer },
);
