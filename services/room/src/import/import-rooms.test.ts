import { ImportService } from '@steward/proto/steward/room/v1/import_pb.ts';
import { expect, it } from 'vitest';
import { oneService } from '../fixtures/one-service.ts';
import { ADMIN } from '../fixtures/test-service.ts';

it('gives a room or an alias that several records name to the first of them', async () => {
  const { service } = await oneService();
  const record = { creator: ADMIN, roomVersion: '10', createdTs: 1n };
  const rooms = [
    { ...record, roomId: '!one:test', aliases: ['#x:test', '#y:test'] },
    { ...record, roomId: '!two:test', aliases: ['#y:test'] },
    { ...record, roomId: '!one:test', aliases: ['#z:test'] },
    { ...record, roomId: '!three:test', aliases: ['#z:test'] },
  ];
  const { loaded, skipped, problems } = await service.client(ImportService, ADMIN).importRooms({ rooms });
  expect({ loaded, skipped }).toEqual({ loaded: 2, skipped: 1 });
  expect(problems).toMatchObject([{ index: 1, problem: '#y:test stands for another room' }]);
});
