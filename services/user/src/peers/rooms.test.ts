import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { VisibilityService } from '@steward/proto/steward/room/v1/visibility_pb.ts';
import { createLocalTransport, route } from '@steward/rpc';
import { expect, it } from 'vitest';
import { roomsThrough } from './rooms.ts';

const answering = (impl: Pick<ServiceImpl<typeof VisibilityService>, 'findVisibleUsers'>) =>
  roomsThrough(createLocalTransport([route(VisibilityService, { wakeWatchers: () => ({}), ...impl })]));

it('returns the visible users', async () => {
  const rooms = answering({
    findVisibleUsers: ({ searcher, candidates }) => ({ userIds: [`${searcher} ${candidates[1]}`] }),
  });
  expect(await rooms.visibleTo('@a:test', ['@b:test', '@c:test'])).toEqual(new Set(['@a:test @c:test']));
});

it('refuses with status 503 while the room service is unavailable', async () => {
  const rooms = answering({
    findVisibleUsers: () => {
      throw new ConnectError('The room service is down', Code.Unavailable);
    },
  });
  const call = rooms.visibleTo('@a:test', ['@b:test']);
  expect(toRefusal(await call.catch((error: unknown) => error))).toMatchObject({
    status: 503,
    errcode: 'M_UNKNOWN',
  });
});
