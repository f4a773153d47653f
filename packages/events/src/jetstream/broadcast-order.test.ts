import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { openBroadcast } from './broadcast.ts';
import type { Link } from './link.ts';
import { namesIn } from './names.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it('receives missed messages before later ones, also when the connection is lost while they are read', async () => {
  const clock = createFakeClock();
  const time = new Date(clock.now());
  /** The reads of copies, each with what it finds. */
  const reads: PromiseWithResolvers<readonly string[]>[] = [];
  let arrive = (_: null, __: { data: Uint8Array }) => {};
  let change = (_: boolean) => {};
  const nc = {
    subscribe(_: string, { callback }: { callback: typeof arrive }) {
      arrive = callback;
    },
  };
  const jsm = {
    streams: {
      info: async () => ({ config: { subjects: [] } }),
      add: async () => {},
      update: async () => {},
    },
    direct: {
      getMessage: async () => ({ time }),
      async getBatch() {
        const read = Promise.withResolvers<readonly string[]>();
        reads.push(read);
        return (await read.promise).map((text, n) => ({ seq: n + 1, data: bytes(text), time }));
      },
    },
  };
  const connection = { nc, jsm, js: { publish: async () => ({ seq: 1 }) } };
  const link = {
    up: true,
    ready: async () => connection,
    request: (send: (given: unknown) => unknown) => send(connection),
    onChange(fn: typeof change) {
      change = fn;
      return () => {};
    },
  } as unknown as Link;
  const received: string[] = [];
  const opening = openBroadcast(
    {
      topic: 'user',
      receive: (message) => received.push(new TextDecoder().decode(message)),
      connected: () => {},
    },
    { link, names: namesIn('test'), clock, report: () => {}, replicas: 1 },
  );
  await expect.poll(() => reads).toHaveLength(1);
  change(false);
  change(true);
  arrive(null, { data: bytes('later') });
  reads[0]?.resolve([]);
  await opening;
  await expect.poll(() => reads).toHaveLength(2);
  reads[1]?.resolve(['missed']);
  await expect.poll(() => received).toEqual(['missed', 'later']);
});
