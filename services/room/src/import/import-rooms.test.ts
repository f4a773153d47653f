import { createClient } from '@connectrpc/connect';
import { RecordService } from '@steward/proto/steward/records/v1/records_pb.ts';
import { ImportService } from '@steward/proto/steward/room/v1/import_pb.ts';
import { createLocalTransport } from '@steward/rpc';
import { expect, it } from 'vitest';
import { aliases } from '../core/model/alias.ts';
import { oneService } from '../fixtures/one-service.ts';

const record = (name: string, ...names: readonly string[]) => ({
  roomId: `!${name}:test`,
  creator: '@admin:test',
  roomVersion: '10',
  createdTs: 1n,
  public: true,
  aliases: names.map((alias) => `#${alias}:test`),
});

it('gives the aliases of a batch as if its rooms were imported one after the other', async () => {
  const { store, service } = await oneService();
  const importer = createClient(ImportService, createLocalTransport(service.service.routes));
  const rooms = [record('one', 'x', 'y'), record('two', 'y'), record('one', 'z'), record('three')];
  expect(await importer.importRooms({ rooms })).toMatchObject({
    loaded: 2,
    skipped: 1,
    problems: [{ index: 1, problem: '#y:test stands for another room' }],
  });
  const held = await (await store.collection(aliases)).find({}, { sort: { _id: 1 } }).toArray();
  expect(held.map(({ _id, room_id }) => [_id, room_id])).toEqual([
    ['#x:test', '!one:test'],
    ['#y:test', '!one:test'],
  ]);
});

it('keeps the creator and the time of an alias that was loaded before its room', async () => {
  const { store, service } = await oneService();
  const transport = createLocalTransport(service.service.routes);
  const alias = { alias: '#x:test', room_id: '!one:test', creator: '@other:test', created_ts: 7 };
  await createClient(RecordService, transport).importRecords({
    kind: 'aliases',
    records: [JSON.stringify(alias)],
  });
  await createClient(ImportService, transport).importRooms({ rooms: [record('one', 'x')] });
  const held = await (await store.collection(aliases)).findOne({ _id: '#x:test' });
  expect(held).toMatchObject({ room_id: '!one:test', creator: '@other:test', created_ts: 7 });
});
