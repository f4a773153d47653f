import { expect, it } from 'vitest';
import { FAKE_ENV, type FakeAnswer, fakeServer } from '../testing/fake-server.ts';
import { type RunOptions, runForTest, shown } from '../testing/run-for-test.ts';

const eventOf = (position: number) => ({
  id: `evt_${position}`,
  position,
  type: 'account.changed',
  time: 1_700_000_000_000 + position,
  actor: position === 2 ? null : '@alice:example.org',
  request_id: 'request-1',
  targets: ['@日本:example.org'],
  data: { user_id: '@日本:example.org', note: '\u001b[2J' },
});

const streamOf = (...positions: readonly number[]): FakeAnswer => ({
  headers: { 'content-type': 'text/event-stream' },
  body: `retry: 0\n\n${positions.map((position) => `id: ${position}\ndata: ${JSON.stringify(eventOf(position))}\n\n`).join('')}`,
});
const GONE: FakeAnswer = {
  status: 410,
  body: { errcode: 'STEWARD_POSITION_GONE', error: 'The position is gone', oldest: 7, latest: 9 },
};

/** Runs against a server that gives one answer after the other. */
async function run(args: string, answers: readonly FakeAnswer[], options: RunOptions = {}) {
  const paths: string[] = [];
  const server = fakeServer(({ path }) => {
    paths.push(path.replace('/_service/admin/v1/events', ''));
    return answers[paths.length - 1] ?? { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'Ended' } };
  });
  return {
    ...(await runForTest(args.split(' '), { env: FAKE_ENV, fetch: server.fetch, ...options })),
    paths,
  };
}
const golden = async (name: string, result: ReturnType<typeof run>) =>
  expect(shown(await result)).toMatchFileSnapshot(`./golden/${name}.txt`);

it('follows the feed over lost connections, as lines of JSON when piped', async () => {
  const answers = [{ body: { events: [], next_after: 0, latest: 0 } }, streamOf(1, 2), streamOf(2, 3)];
  await golden('events-tail-piped', run('events tail --jq [.position,.targets[0]]', answers));
  const { paths } = await run(
    'events tail --after 4 --type account.* --type room.deleted --target x --actor @y:z',
    [streamOf(5)],
  );
  expect(paths[0]).toBe('?after=4&type=account.*&type=room.deleted&target=x&actor=%40y%3Az');
});

it('writes lines of a table on a terminal', async () => {
  await golden(
    'events-tail-terminal',
    run('events tail --after 0 --no-color', [streamOf(1, 2)], { terminal: 120 }),
  );
});

it('ends at the end of the feed with --no-follow', async () => {
  const pages = [
    { body: { events: [eventOf(1)], next_after: 1, latest: 2 } },
    { body: { events: [eventOf(2)], next_after: 2, latest: 2 } },
    { body: { events: [], next_after: 2, latest: 2 } },
  ];
  const { exitCode, stdout, paths } = await run('events tail --no-follow --type account.*', pages);
  expect({
    exitCode,
    lines: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }).toEqual({
    exitCode: 0,
    lines: [eventOf(1), eventOf(2)],
  });
  expect(paths[0]).toBe('?type=account.*&limit=1000');
});

it('says where the feed begins when the position is gone', async () => {
  expect(await run('events tail --after 1', [GONE])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('--after 7'),
  });
});

it('ends at Ctrl-C', async () => {
  const abort = new AbortController();
  const server = fakeServer(() => {
    abort.abort();
    return streamOf(1);
  });
  const options = { env: FAKE_ENV, fetch: server.fetch, signal: abort.signal };
  expect(await runForTest(['events', 'tail', '--after', '0'], options)).toMatchObject({ exitCode: 130 });
});

it.each(['events tail --after x', 'events tail --after -1', 'events tail -o yaml'])(
  '%s is refused',
  async (args) => {
    expect(await run(args, [])).toMatchObject({ exitCode: 2, paths: [] });
  },
);
