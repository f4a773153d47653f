import { Unavailable } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { createFeedAppender } from './feed-appender.ts';
import type { FeedDeps } from './feed-deps.ts';

it('refuses what waits for the store as unavailable when it is closed', async () => {
  const insertMany = async () => {
    throw new Unavailable('The store is away');
  };
  const deps = {
    clock: createFakeClock(),
    capabilities: { insertsAlongCommit: false },
    feedEvents: { insertMany },
  } as unknown as FeedDeps;
  const failed = Promise.withResolvers<void>();
  const appender = createFeedAppender(
    deps,
    () => failed.resolve(),
    () => {},
  );
  const event = {
    id: 'evt_1',
    type: 'account.deactivated',
    time: 1,
    actor: null,
    requestId: null,
    taskId: null,
  };
  const refused = expect(appender.append({ ...event, targets: [], data: '{"erased":true}' })).rejects.toThrow(
    Unavailable,
  );
  await failed.promise;
  await appender.close();
  await refused;
});
