import { systemClock, systemRandom } from '@steward/kernel';

import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declareCollection } from '../../port/declaration.ts';
import { firstId } from '../../port/shard-key-of-id.ts';
import { InFlight } from '../client/in-flight.ts';
import { mongo, testDatabase } from '../test-database.ts';
import { MongoCollection } from './mongo-collection.ts';

interface Device {
  readonly _id: string;
  readonly user_id: string;
  readonly count: number;
}

const devices = declareCollection<Device>({
  name: 'test.devices',
  shardKey: 'user_id',
  shardKeyOfId: firstId,
  indexes: [],
});

describe.skipIf(mongo.url === undefined)(mongo.title, () => {
  const { url, name } = testDatabase();
  const client = new MongoClient(url, { monitorCommands: true });
  const filters: unknown[] = [];
  beforeAll(async () => {
    await client.connect();
    client.on('commandStarted', ({ command }: CommandStartedEvent) => {
      const { filter, query, updates = [], deletes = [] } = command;
      if (filter ?? query) filters.push(filter ?? query);
      for (const { q } of [...updates, ...deletes]) filters.push(q);
    });
  });
  afterAll(() => client.close());

  it('on a cluster every operation by id names the shard', async () => {
    const engine = {
      database: client.db(name),
      inFlight: new InFlight(),
      clock: systemClock,
      random: systemRandom,
      isSharded: true,
    };
    const collection = new MongoCollection(engine, devices);
    const _id = '@a:test PHONE';
    const update = { $set: { count: 1 }, $setOnInsert: { user_id: '@a:test' } };
    await collection.updateOne({ _id }, update, { upsert: true });
    await collection.findOneAndUpdate({ _id }, { $inc: { count: 1 } });
    await collection.bulkWrite([{ updateOne: { filter: { _id }, update: { $inc: { count: 1 } } } }]);
    await collection.updateMany({ _id: { $in: [_id] } }, { $inc: { count: 1 } });
    expect(await collection.findOne({ _id })).toEqual({ _id, user_id: '@a:test', count: 4 });
    expect(await collection.find({ _id: { $in: [_id, '@b:test X'] } }).toArray()).toHaveLength(1);
    expect(await collection.countDocuments({ _id })).toBe(1);
    expect(await collection.deleteOne({ _id })).toEqual({ deletedCount: 1 });
    expect(await collection.deleteMany({ _id: { $in: [_id] } })).toEqual({ deletedCount: 0 });
    expect(filters.length).toBeGreaterThanOrEqual(8);
    for (const filter of filters) expect(filter).toHaveProperty('user_id');
  });

  it('on a cluster a document of a user whose localpart has spaces is found by its id', async () => {
    const engine = {
      database: client.db(name),
      inFlight: new InFlight(),
      clock: systemClock,
      random: systemRandom,
      isSharded: true,
    };
    const collection = new MongoCollection(engine, devices);
    const device = { _id: '@two words:test MY PHONE', user_id: '@two words:test', count: 1 };
    await collection.insertOne(device);
    expect(await collection.findOne({ _id: device._id })).toEqual(device);
    await collection.deleteMany({ user_id: device.user_id });
  });
});
