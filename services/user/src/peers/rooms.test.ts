import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { VisibilityService } from '@steward/proto/steward/room/v1/visibility_pb.ts';
import { createLocalTransport, route } from '@steward/rpc';
import { expect, it } from 'vitest';
import { roomsThrough } from './rooms.ts';

const answering = (impl: ServiceImpl<typeof VisibilityService>) =>
  roomsThrough(createLocalTransport([route(VisibilityService, impl)]));

it('asks who is visible', async () => {
  const rooms = answering({
    findVisibleUsers: ({ searcher, candidates }) => ({ userIds: [`${searcher} ${candidates[1]}`] }),
  });
  expect(await rooms.visibleTo('@a:test', ['@b:test', '@c:test'])).toEqual(new Set(['@a:test @c:test']));
});

it('asks to try again later while the room service is away', async () => {
  const rooms = answering({
    findVisibleUsers: () => {
      throw new ConnectError('Nobody is there', Code.Unavailable);
    },
  });
  const asking = rooms.visibleTo('@a:test', ['@b:test']);
  expect(toRefusal(await asking.catch((error: unknown) => error))).toMatchObject({
    status: 503,
    errcode: 'M_UNKNOWN',
  });
});
