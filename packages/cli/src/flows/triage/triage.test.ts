import { expect, it } from 'vitest';
import { Interrupted } from '../../io/exit.ts';
import type { Choice } from '../../io/prompts.ts';
import { FAKE_ENV, type FakeAnswer, type FakeRequest, fakeServer } from '../../testing/fake-server.ts';
import { type RunOptions, runForTest, shown } from '../../testing/run-for-test.ts';

const ADMIN = '/_service/admin/';

/** A server with reports, which deletes them, and records what else is asked of it. */
function serverOf(events: readonly number[], users: readonly number[]) {
  const left = { event_reports: [...events], user_reports: [...users] };
  const sent: string[] = [];
  const { fetch } = fakeServer(({ method, path, body, headers }: FakeRequest): FakeAnswer | undefined => {
    const url = new URL(path, 'https://server.example');
    const [, version = '', ...words] = url.pathname.replace(ADMIN, '/').split('/').map(decodeURIComponent);
    const [group = '', id] = words;
    if (group === 'me') return { body: { user_id: '@alice:example.org', owner: null, scopes: [] } };
    if (group === 'event_reports' || group === 'user_reports') {
      if (id === undefined) {
        const from = Number(url.searchParams.get('from') ?? 0);
        const rows = left[group].slice(from, from + Number(url.searchParams.get('limit')));
        return { body: { [group]: rows.map((each) => ({ id: each })), total: left[group].length } };
      }
      if (!left[group].includes(Number(id)))
        return { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'No' } };
      if (method === 'GET')
        return { body: group === 'event_reports' ? eventReport(Number(id)) : userReport(Number(id)) };
      left[group] = left[group].filter((each) => each !== Number(id));
    }
    sent.push(
      [method, version, ...words, JSON.stringify(body ?? null), headers.get('x-steward-reason') ?? '-'].join(
        ' ',
      ),
    );
    if (group === 'suspend') return { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'No' } };
    return { body: { redact_id: 'task-1' } };
  });
  return { fetch, sent, left };
}

const eventReport = (id: number) => ({
  id,
  received_ts: 1_700_000_000_000,
  room_id: '!room:example.org',
  name: '日本 \u001b[2J',
  event_id: '$event',
  user_id: '@carol:example.org',
  reason: 'spam\u202e',
  score: -100,
  sender: '@bob:example.org',
  canonical_alias: null,
  event_json: {
    type: 'm.room.message',
    origin_server_ts: 1_700_000_000_000,
    content: { msgtype: 'm.image', body: 'buy\n\u001b[31mpills', url: 'mxc://example.org/abc' },
  },
});
const userReport = (id: number) => ({
  id,
  received_ts: 1_700_000_000_000,
  target_user_id: id === 2 ? '@alice:example.org' : '@bob:example.org',
  user_id: '@carol:example.org',
  reason: 'rude',
});

/** Runs with answers to the questions: what the chosen label begins with, or the text of an answer. */
async function run(args: string, server: ReturnType<typeof serverOf>, answers: readonly string[]) {
  const open = [...answers];
  const offered: string[][] = [];
  const next = () => {
    const answer = open.shift();
    if (answer === undefined) throw new Interrupted();
    return answer;
  };
  const prompts: RunOptions['prompts'] = {
    async select<Value>(_: string, choices: readonly Choice<Value>[]): Promise<Value> {
      offered.push(choices.map(({ label }) => label));
      const answer = next();
      const found = choices.find(({ label }) => label.startsWith(answer));
      if (found === undefined) throw new Error(`${answer} is not offered`);
      return found.value;
    },
    confirm: async () => next() === 'yes',
    text: async () => next(),
  };
  const result = await runForTest(args.split(' '), {
    env: FAKE_ENV,
    fetch: server.fetch,
    terminal: 80,
    prompts,
  });
  return { ...result, offered };
}

it('shows each report with what it is about, and does what is chosen', async () => {
  const server = serverOf([1], [1, 2]);
  const result = await run('reports triage --no-color', server, [
    ...[
      'say why',
      'ticket 4711',
      'redact',
      'yes',
      'quarantine',
      'lock',
      'suspend',
      'deactivate',
      'no',
      'block',
      'dismiss',
    ],
    ...['deactivate', 'yes', 'leave', 'leave'],
  ]);
  await expect(shown(result)).toMatchFileSnapshot('../golden/triage.txt');
  expect(server.sent).toEqual([
    'POST v1 user @bob:example.org redact {"rooms":["!room:example.org"],"after_ts":1699999999999,"before_ts":1700000000001} ticket 4711',
    'POST v1 media quarantine example.org abc null ticket 4711',
    'PUT v2 users @bob:example.org {"locked":true} ticket 4711',
    'PUT v1 suspend @bob:example.org {"suspend":true} ticket 4711',
    'PUT v1 rooms !room:example.org block {"block":true} ticket 4711',
    'DELETE v1 event_reports 1 null ticket 4711',
    'POST v1 deactivate @bob:example.org {} ticket 4711',
  ]);
  // Against oneself nothing is offered.
  expect(result.offered.at(-1)).toEqual(['leave it, and go on', 'dismiss the report', 'say why', 'quit']);
});

it('shows each report once, whichever are deleted here or by others', async () => {
  const numbers = Array.from({ length: 120 }, (_, index) => index + 1);
  const server = serverOf(numbers, []);
  const answers = numbers.map((number) => (number % 3 === 0 ? 'dismiss' : 'leave'));
  const result = await run('reports triage --kind events', server, answers);
  const seen = [...result.stdout.matchAll(/Event report (\d+),/g)].map(([, id]) => Number(id));
  expect(seen).toEqual(numbers);
  expect(server.left.event_reports).toHaveLength(80);
  expect(result.stderr).toContain('Reports dismissed: 40, left: 80.');

  const busy = serverOf(numbers, []);
  const others = { ...busy, sent: busy.sent };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    // Others delete the first ten after the first page.
    if (String(input).includes('from=49'))
      busy.left.event_reports.splice(0, busy.left.event_reports[0] === 1 ? 10 : 0);
    return busy.fetch(input, init);
  };
  const again = await run(
    'reports triage --kind events',
    { ...others, fetch },
    numbers.map(() => 'leave'),
  );
  expect([...again.stdout.matchAll(/Event report (\d+),/g)]).toHaveLength(120);
});

it('ends with what was done when it is left', async () => {
  const quit = await run('reports triage', serverOf([1, 2], []), ['leave', 'quit']);
  expect(quit).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('left: 1') });
  const interrupted = await run('reports triage', serverOf([1, 2], []), ['dismiss']);
  expect(interrupted).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('dismissed: 1') });
});

it('needs a terminal', async () => {
  const { fetch } = serverOf([1], []);
  expect(await runForTest(['reports', 'triage'], { env: FAKE_ENV, fetch })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('event-reports list'),
  });
});
