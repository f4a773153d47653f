import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const STATUS = '/_service/admin/v1/server/status';

const SPLIT = ['gateway', 'media', 'moderation', 'room', 'user'];

interface Status {
  readonly processes: readonly {
    readonly kind: string;
    readonly state: string;
    readonly missing: string[];
  }[];
  readonly [key: string]: unknown;
}

chapter('Server status', (world, { isOneProcess, isSplit }) => {
  const status = async () => (await world.admin.get<Status>(STATUS)).body;

  it('names every process with its release, its state and its backlog', async () => {
    const kinds = isSplit ? SPLIT : ['all-in-one'];
    // Another chapter can have killed one.
    const live = async () => [...new Set((await status()).processes.map(({ kind }) => kind))];
    await expect.poll(live).toEqual(kinds);
    const { processes, ...server } = await status();
    expect(server).toEqual({
      server_name: 'test',
      release: expect.stringMatching(/^\d+\./),
      schema: expect.any(Number),
      store: isOneProcess ? 'sqlite' : 'mongodb',
      store_version: expect.stringMatching(/^\d+\./),
      broker: isOneProcess ? 'none' : 'nats',
      dead_letters: expect.any(Number),
      degraded: expect.any(Array),
    });
    expect(processes.at(-1)).toEqual({
      id: expect.any(String),
      kind: kinds.at(-1),
      host: expect.any(String),
      pid: expect.any(Number),
      release: server.release,
      node: process.version,
      started_ts: expect.any(Number),
      seen_ts: expect.any(Number),
      state: expect.stringMatching(/^(ready|degraded)$/),
      missing: expect.any(Array),
      event_loop_delay_ms: expect.any(Number),
      memory_bytes: expect.any(Number),
      heap_bytes: expect.any(Number),
      outboxes: expect.arrayContaining([
        { service: 'user', entries: expect.any(Number), oldest_ms: expect.any(Number) },
      ]),
      consumers: expect.any(Array),
      imported_passwords: [{ scheme: 'bcrypt', accounts: expect.any(Number) }],
      ...(isSplit
        ? {}
        : {
            tasks: {
              scheduled: expect.any(Number),
              active: expect.any(Number),
              oldest_waiting_ms: expect.any(Number),
            },
          }),
    });
  });

  it('server status is for administrators', async () => {
    const user = await world.user();
    expect(await user.get(STATUS)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    expect(await world.http('GET', STATUS)).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
  });
});
