import { describe, expect, it } from 'vitest';
import { FAKE_ENV, type FakeAnswer, type FakeRequest, fakeServer } from '../testing/fake-server.ts';
import { interruptedSignal, type Run, type RunOptions, runForTest, shown } from '../testing/run-for-test.ts';

const TASKS = '/_service/admin/v1/tasks';

const taskOf = (id: string, state: string, done = 0, error: string | null = null) => ({
  id,
  kind: 'room.delete',
  state,
  target: '!日本:example.org',
  requested_by: '@alice:example.org',
  created_ts: 1_700_000_000_000,
  progress: { done, total: 4 },
  cancelling: false,
  error,
});

/** Answers each request of a path with the next of its answers, and the last one again and again. */
function inTurn(answers: Readonly<Record<string, readonly FakeAnswer[]>>) {
  const counts = new Map<string, number>();
  return ({ path }: FakeRequest): FakeAnswer | undefined => {
    const all = answers[path.split('?')[0] ?? ''];
    const at = counts.get(path) ?? 0;
    counts.set(path, at + 1);
    return all?.[Math.min(at, all.length - 1)];
  };
}

const run = (
  args: string,
  answers: Readonly<Record<string, readonly FakeAnswer[]>>,
  options: RunOptions = {},
) => runForTest(args.split(' '), { env: FAKE_ENV, fetch: fakeServer(inTurn(answers)).fetch, ...options });
const golden = async (name: string, result: Promise<Run>) =>
  expect(shown(await result)).toMatchFileSnapshot(`./golden/${name}.txt`);
const ended = (state: string) => ({ [`${TASKS}/t1`]: [{ body: taskOf('t1', state, 4) }] });

describe('tasks wait', () => {
  it.each([
    ['complete', 0],
    ['failed', 1],
    ['cancelled', 5],
  ])('of a %s task ends with %i', async (state, exitCode) => {
    const result = await run('tasks wait t1 --jq .state', ended(state));
    expect(result).toEqual({ exitCode, stdout: `${state}\n`, stderr: '' });
  });

  it('shows a bar on a terminal', async () => {
    const answers = {
      [`${TASKS}/t1`]: [{ body: taskOf('t1', 'active', 1) }, { body: taskOf('t1', 'complete', 4) }],
    };
    await golden('tasks-wait-terminal', run('tasks wait t1 --no-color', answers, { terminal: 70 }));
  });

  it('leaves the task running at Ctrl-C, and says so', async () => {
    const signal = interruptedSignal();
    expect(await run('tasks wait t1', ended('active'), { signal })).toMatchObject({
      exitCode: 130,
      stderr: expect.stringMatching(/Task t1 goes on in the server.*tasks wait t1/),
    });
  });

  it('of an unknown task ends with 3', async () => {
    const unknown = { [`${TASKS}/t1`]: [{ status: 404, body: { errcode: 'M_NOT_FOUND', error: 'No' } }] };
    expect(await run('tasks wait t1', unknown)).toMatchObject({ exitCode: 3 });
  });
});

describe('tasks cancel', () => {
  const answers = (state: string) => ({
    [`${TASKS}/t1/cancel`]: [{ body: { ...taskOf('t1', 'active'), cancelling: true } }],
    ...ended(state),
  });

  it('asks, and waits with --wait', async () => {
    expect(await run('tasks cancel t1', answers('cancelled'))).toMatchObject({ exitCode: 2 });
    const now = await run('tasks cancel t1 --yes --jq .state', answers('cancelled'));
    expect(now).toMatchObject({ exitCode: 0, stdout: 'active\n' });
    const waited = await run('tasks cancel t1 --yes --wait --jq .state', answers('cancelled'));
    expect(waited).toMatchObject({ exitCode: 0, stdout: 'cancelled\n' });
    expect(await run('tasks cancel t1 --yes --wait', answers('complete'))).toMatchObject({ exitCode: 1 });
  });
});

describe('tasks watch', () => {
  it('outlasts a server that is away for a while', async () => {
    const away = { status: 503, body: { errcode: 'M_UNKNOWN', error: 'Away', retry_after_ms: 0 } };
    const answers = [{ body: taskOf('t1', 'active', 1) }, ...Array(8).fill(away)];
    const result = await run('tasks watch t1 --jq .state', {
      [`${TASKS}/t1`]: [...answers, { body: taskOf('t1', 'complete', 4) }],
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'active\ncomplete\n' });
    const missing = await run('tasks watch t1', { [`${TASKS}/t1`]: [away] });
    expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
  });

  const two = {
    [`${TASKS}/t1`]: [{ body: taskOf('t1', 'active', 1) }, { body: taskOf('t1', 'complete', 4) }],
    [`${TASKS}/t2`]: [
      { body: taskOf('t2', 'scheduled') },
      { body: taskOf('t2', 'failed', 2, 'why \u001b[2J') },
    ],
  };

  it('writes each change as a line of JSON, and ends with the outcome of the tasks', async () => {
    await golden('tasks-watch-piped', run('tasks watch t1 t2', two));
    expect(await run('tasks watch t1', { [`${TASKS}/t1`]: two[`${TASKS}/t1`] })).toMatchObject({
      exitCode: 0,
    });
    expect(await run('tasks watch t2', { [`${TASKS}/t2`]: two[`${TASKS}/t2`] })).toMatchObject({
      exitCode: 1,
    });
    expect(await run('tasks watch t1 -o json', two)).toMatchObject({ exitCode: 2 });
  });

  it('redraws a table on a terminal', async () => {
    await golden('tasks-watch-terminal', run('tasks watch t1 t2', two, { terminal: 90 }));
  });

  it('without ids follows what runs, until Ctrl-C', async () => {
    const abort = new AbortController();
    const answers = {
      [TASKS]: [{ body: { tasks: [taskOf('t1', 'active', 1)] } }, { body: { tasks: [] } }],
      [`${TASKS}/t1`]: [{ body: taskOf('t1', 'complete', 4) }],
    };
    let pauses = 0;
    const onPause = () => {
      if (++pauses === 3) abort.abort();
    };
    const { exitCode, stdout } = await run('tasks watch --jq .state', answers, {
      signal: abort.signal,
      onPause,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: 'active\ncomplete\n' });
  });
});
