import type { Task } from '@steward/tasks';
import { expect, it } from 'vitest';
import { type DeletionPart, outcomeOf } from './deletion.ts';

it('names each user once: as removed, if any membership of the user has ended without a failure', async () => {
  const parts: readonly DeletionPart[] = [
    { kicked: ['@moved:test'], failed: ['@deactivated:test', '@refused:test'] },
    // The remaining members had invited these users again.
    { kicked: ['@moved:test', '@deactivated:test'], failed: ['@refused:test'] },
  ];
  const tasks = {
    async *parts() {
      yield* parts;
    },
  };
  const outcome = await outcomeOf({ tasks } as never, { _id: 'x', result: 'null' } as Task);
  expect(outcome).toEqual({
    kickedUsers: ['@moved:test', '@deactivated:test'],
    failedToKickUsers: ['@refused:test'],
    localAliases: [],
  });
});
