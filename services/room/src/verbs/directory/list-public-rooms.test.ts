import { create } from '@bufbuild/protobuf';
import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { ListPublicRoomsRequestSchema } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { expect, it } from 'vitest';
import type { Deps } from '../../core/deps.ts';
import { listPublicRooms } from './list-public-rooms.ts';

const nobody = { values: createContextValues() } as HandlerContext;
const depsWith = (publicRooms: Deps['settings']['publicRooms']) => ({ settings: { publicRooms } }) as Deps;
const request = create(ListPublicRoomsRequestSchema);

it('strangers see the directory unless the settings say otherwise', async () => {
  const closed = depsWith({ enabled: true, requireAuth: true });
  await expect(listPublicRooms(closed, request, nobody)).rejects.toThrow('Missing access token');
});

it('no room is found where there is no directory', async () => {
  const none = depsWith({ enabled: false, requireAuth: false });
  expect(await listPublicRooms(none, request, nobody)).toEqual({ chunk: [], totalRoomCountEstimate: 0n });
});
