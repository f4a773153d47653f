import { createHash } from 'node:crypto';
import { type Community, idOf } from './community.ts';
import { drawPicture } from './draw-picture.ts';
import { ADMINISTRATOR, MODERATOR, RUDE, SPAMMER } from './people.ts';

/** The number of a picture that the server does not want. */
const UNWANTED = 1_000;
const DAY_MS = 24 * 60 * 60_000;

/** What happened so many days ago, each to its end. */
export const INCIDENTS: Readonly<Record<number, (community: Community) => Promise<void>>> = {
  30: prepare,
  12: closeOldRoom,
  9: resolveInsult,
  6: dismissComplaint,
  4: limitAccounts,
  2: listUnwanted,
};

/**
 * Lets members report what is wrong today, and moderators decide about a part of it. Returns the id of the case that they work on.
 *
 * @param at moves the clock to so many minutes before the present
 */
export async function moderateToday(community: Community, at: (minutes: number) => void): Promise<string> {
  const { admin, member, room } = community;
  const moderator = member(MODERATOR).client;

  at(310);
  await community.apply();
  const market = await member(SPAMMER).createRoom({ preset: 'public_chat', name: 'Free coins every day' });
  await member({ name: 'elif' }).join(market);
  await member({ name: 'elif' }).reportRoom(market, 'A fraud: they ask for bank details');
  const fraud = await caseOf({ room_id: market });
  await moderator.reports.setSeverity({ report_id: fraud, severity: 'critical' });
  await moderator.reports.escalate({ report_id: fraud, reason: 'Who may block the room?' });

  at(190);
  const boats = room('boats');
  await member(RUDE).join(boats);
  const insult = await member(RUDE).say(boats, 'Learn to moor or stay at home, you clown.');
  await reportEvent(community, boats, insult, ['per', 'Insults a beginner']);
  await reportEvent(community, boats, insult, ['freya', 'Rude, again']);
  await moderator.reports.setSeverity({
    report_id: await caseOf({ room_id: boats, state: ['open'] }),
    severity: 'medium',
  });
  await member({ name: 'kaspar' }).reportUser(idOf(RUDE.name), 'Writes to newcomers, and insults them');

  at(120);
  // The upload is refused, or quarantined; what matters is the report that it opens.
  await member({ name: 'sven' }).upload('poster.png', new Uint8Array(await drawPicture(UNWANTED)));
  await member({ name: 'ruta' }).reportUser(idOf('sven'), 'Is this an account of a company?');

  at(55);
  const square = room('square');
  for (const [name, text] of [
    ['jonas', 'The stage is up. Who checks the lights?'],
    ['elif', 'I can be there at six.'],
  ] as const)
    await member({ name }).say(square, text);
  const flood = await member(SPAMMER).say(
    square,
    '★★★ ENGINES, SAILS, GPS – 90 % OFF, TODAY ONLY ★★★ Pay in coins at https://cheap-boats.example and win a yacht!!!',
  );
  await member({ name: 'bjork' }).say(square, 'Please, not here.');
  const witnesses = [
    ['bjork', 'Spam'],
    ['dimitra', 'Διαφήμιση σε όλα τα δωμάτια'],
    ['oleksandr', 'Спам, третій раз за сьогодні'],
    ['noa', 'Asks for payment in coins'],
    ['chloe', 'The link is a fraud'],
  ] as const;
  for (const [index, witness] of witnesses.entries()) {
    at(48 - 4 * index);
    await reportEvent(community, square, flood, witness);
  }
  const shown = await caseOf({ room_id: square });

  at(22);
  await moderator.reports.setSeverity({ report_id: shown, severity: 'high' });
  await moderator.reports.addNote({
    report_id: shown,
    text: 'Joined yesterday, and writes the same in four rooms. The room “Free coins every day” is theirs, too.',
  });
  at(15);
  await admin.reports.markTriaged({ report_id: shown });
  await admin.reports.assign({ report_id: shown });
  at(3);
  await community.chat(20);
  return shown;

  async function caseOf(filter: {
    readonly room_id: string;
    readonly state?: readonly ['open'];
  }): Promise<string> {
    const { cases } = await admin.reports.list({ group: 'subject', ...filter });
    const [found] = cases;
    if (found === undefined) throw new Error('The report has no case');
    return found.case_id;
  }
}

/** Reports an event by someone who then is in its room. */
async function reportEvent(
  { member }: Community,
  room: string,
  event: string,
  [name, reason]: readonly [name: string, reason: string],
): Promise<void> {
  const reporter = member({ name });
  await reporter.join(room);
  await reporter.reportEvent(room, event, reason);
}

/** What administrators do at first. */
async function prepare({ admin }: Community): Promise<void> {
  await admin.users.setRoles({ user_id: idOf(MODERATOR.name), roles: ['moderator'] });
  await admin.users.setRoles({ user_id: idOf('tomasz'), roles: ['auditor'] });
  await admin.roles.create({
    name: 'welcome-team',
    description: 'Approves newcomers',
    scopes: ['users:read', 'users:write'],
  });
  await admin.users.setRoles({ user_id: idOf('jonas'), roles: ['welcome-team'] });
  await admin.tokens.create({ name: 'Nightly export', role: 'auditor', expires_in_ms: 90 * DAY_MS });
  await admin.registrationTokens.create({ token: 'summer-festival', uses_allowed: 50 });
  // It is off, because there is no receiver.
  await admin.webhooks.create({
    url: 'https://chat-ops.example/steward',
    description: 'Into the room of the moderators',
    types: ['report.*', 'account.*'],
    enabled: false,
  });
}

async function closeOldRoom({ admin, member }: Community): Promise<void> {
  const old = await member({ name: 'dunja' }).createRoom({ preset: 'public_chat', name: 'Winter market' });
  await member({ name: 'vesna' }).join(old);
  const { delete_id } = await admin.rooms.beginDeletion(
    { room_id: old, block: true },
    { reason: 'The market is over' },
  );
  await admin.tasks.wait({ task_id: delete_id });
}

async function resolveInsult(community: Community): Promise<void> {
  const { admin, member, room } = community;
  const boats = room('boats');
  await member(RUDE).join(boats);
  const event = await member(RUDE).say(boats, 'Nobody asked you.');
  await reportEvent(community, boats, event, ['zofia', 'Not kind']);
  const { cases } = await admin.reports.list({ group: 'subject', room_id: boats });
  const resolved = await member(MODERATOR).client.reports.resolve({
    report_id: cases[0]?.case_id ?? '',
    outcome: 'actioned',
    reason: 'The first warning',
    orders: [
      { kind: 'redact_event', reason: 'Be kind' },
      { kind: 'send_notice', text: 'Please be kind in the harbour. This is a first warning.' },
    ],
  });
  if (resolved.task_id) await admin.tasks.wait({ task_id: resolved.task_id });
}

async function dismissComplaint(community: Community): Promise<void> {
  const { admin, member, room } = community;
  const kitchen = room('kitchen');
  await member({ name: 'elif' }).join(kitchen);
  const event = await member({ name: 'elif' }).say(kitchen, 'No onions this time!');
  await reportEvent(community, kitchen, event, [RUDE.name, 'I like onions']);
  const { cases } = await admin.reports.list({ group: 'subject', room_id: kitchen });
  await admin.reports.resolve({
    report_id: cases[0]?.case_id ?? '',
    outcome: 'dismissed',
    reason: 'Not against the rules',
  });
}

async function limitAccounts({ admin }: Community): Promise<void> {
  await admin.users.put({ user_id: idOf('milo'), locked: true }, { reason: 'Lost the telephone' });
  await admin.users.suspend(
    { user_id: idOf('hovik'), suspend: true },
    { reason: 'Until the talk on Monday' },
  );
  await admin.users.shadowBan({ user_id: idOf('pavel') }, { reason: 'A second account of a banned user' });
  await admin.users.deactivate({ user_id: idOf('ragna') }, { reason: 'Moved away' });
}

async function listUnwanted({ admin }: Community): Promise<void> {
  const sha256 = createHash('sha256')
    .update(await drawPicture(UNWANTED))
    .digest('hex');
  await admin.mediaHashes.add({
    sha256: [sha256],
    action: 'quarantine',
    open_report: true,
    note: `Reported to ${ADMINISTRATOR.displayName} by the port authority`,
  });
}
