import { create } from '@bufbuild/protobuf';
import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import {
  GetRoomSummaryRequestSchema,
  ListPublicRoomsRequestSchema,
} from '@steward/proto/steward/room/v1/directory_pb.ts';
import { expect, it } from 'vitest';
import type { Deps } from '../../core/deps.ts';
import { getRoomSummary } from './get-room-summary.ts';
import { listPublicRooms } from './list-public-rooms.ts';

const anonymous = { values: createContextValues() } as HandlerContext;
const depsWith = (publicRooms: Deps['settings']['publicRooms']) => ({ settings: { publicRooms } }) as Deps;
const request = create(ListPublicRoomsRequestSchema);

it('a request without access token is refused if the settings require one', async () => {
  const closed = depsWith({ enabled: true, requireAuth: true });
  await expect(listPublicRooms(closed, request, anonymous)).rejects.toThrow('Missing access token');
  const summary = create(GetRoomSummaryRequestSchema, { roomIdOrAlias: '!a:test' });
  await expect(getRoomSummary(closed, summary, anonymous)).rejects.toThrow('Missing access token');
});

it('the list is empty if the directory is disabled', async () => {
  const none = depsWith({ enabled: false, requireAuth: false });
  expect(await listPublicRooms(none, request, anonymous)).toEqual({ chunk: [], totalRoomCountEstimate: 0n });
});
