import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { requesterKey } from '@steward/rpc';
import { expect, it } from 'vitest';
import type { Deps } from '../../core/deps.ts';
import { deleteRoom } from './delete-room.ts';
import { readDeletion } from './deletion.ts';

const ROOM = '!room:test';
const REQUEST = { roomId: ROOM } as never;

/** The task of a deletion that a request without options began. */
const taskIn = (state: string) => ({
  _id: 'first',
  key: ROOM,
  state,
  params: JSON.stringify(readDeletion(REQUEST, 1)),
  result: 'null',
});

const context = {
  signal: new AbortController().signal,
  values: createContextValues().set(requesterKey, { userId: '@admin:test' } as never),
} as HandlerContext;

it('an equal request waits for the deletion that it found, even if that ends before it waits', async () => {
  let lists = 0;
  const tasks: Partial<Deps['tasks']> = {
    list: async () => [taskIn(++lists === 1 ? 'active' : 'complete')] as never,
    create: () => Promise.reject(new Error('a second deletion was created')),
    endedWithin: async () => taskIn('complete') as never,
    async *parts() {
      yield { kicked: ['@member:test'] } as never;
    },
  };
  const deps = { tasks, relay: { delivered: async () => {} }, settings: { deliveryWaitMs: 0 } };
  const outcome = await deleteRoom(deps as never, REQUEST, context);
  expect(outcome.kickedUsers).toEqual(['@member:test']);
});
