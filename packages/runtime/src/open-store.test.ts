import { expect, it } from 'vitest';
import { openDatabase } from './open-store.ts';

const open = async (url: string) => {
  const logged: string[] = [];
  const pauses: number[] = [];
  const logger = { warn: (message: string) => void logged.push(message) };
  const config = { server: { name: 'test' }, store: { url } } as Parameters<typeof openDatabase>[0];
  const failure = openDatabase(config, logger as unknown as Parameters<typeof openDatabase>[1], {
    async wait(ms) {
      pauses.push(ms);
    },
  });
  const error = await failure.then(
    () => undefined,
    (reason: unknown) => reason as Error,
  );
  return { error, logged, pauses };
};

it('tries for a minute to reach a database, and names its address and the cause each time', async () => {
  const { error, logged, pauses } = await open(
    'mongodb://user:secret@127.0.0.1:1/?serverSelectionTimeoutMS=20',
  );
  const cause = /^The database at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/;
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
  expect(logged).toHaveLength(pauses.length);
  for (const line of [...logged, String(error?.message)]) {
    expect(line).toMatch(cause);
    expect(line).not.toMatch(/secret|\n/);
  }
});

it('gives up at once when the URL is not valid, and names the setting', async () => {
  const { error, logged } = await open('mongodb://user:secret@127.0.0.1:1:2/');
  expect(logged).toEqual([]);
  expect(error?.message).toMatch(
    /^STEWARD_STORE: The URL of the database at 127\.0\.0\.1:1:2 cannot be used: .+$/,
  );
});
