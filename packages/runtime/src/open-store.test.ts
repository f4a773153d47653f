import { Unavailable } from '@steward/store';
import { expect, it } from 'vitest';
import { openDatabase } from './open-store.ts';

type Options = NonNullable<Parameters<typeof openDatabase>[2]>;

const open = async (url: string, options: Pick<Options, 'connect'> = {}) => {
  const logged: string[] = [];
  const pauses: number[] = [];
  const logger = { warn: (message: string) => void logged.push(message) };
  const config = { server: { name: 'test' }, store: { url } } as Parameters<typeof openDatabase>[0];
  const failure = openDatabase(config, logger as unknown as Parameters<typeof openDatabase>[1], {
    ...options,
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

it.each([
  [
    'The database at 127.0.0.1:1 cannot be reached: connect ECONNREFUSED',
    'The database at 127.0.0.1:1 cannot be reached: connect ECONNREFUSED',
  ],
  ['not primary', 'The database at 127.0.0.1:1 does not work: not primary'],
])(
  'tries for a minute while a database fails with "%s", and names its address and the cause each time',
  async (message, line) => {
    const cause = new Error(`${message}\nat user:secret`);
    const { error, logged, pauses } = await open('mongodb://user:secret@127.0.0.1:1/', {
      connect: () => Promise.reject(new Unavailable(message, { cause })),
    });
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
    expect(logged).toEqual(pauses.map((ms) => `${line}; trying again in ${ms / 1_000} s`));
    expect(error?.message).toBe(line);
  },
);

it('gives up at once when the URL is not valid, and names the setting', async () => {
  const { error, logged } = await open('mongodb://user:secret@127.0.0.1:1:2/');
  expect(logged).toEqual([]);
  expect(error?.message).toMatch(
    /^STEWARD_STORE: The URL of the database at 127\.0\.0\.1:1:2 cannot be used: .+$/,
  );
});
