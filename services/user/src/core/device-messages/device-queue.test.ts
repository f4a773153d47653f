import { risingTimes } from '@steward/kernel';
import { openCollections } from '@steward/service';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { collections } from '../collections.ts';
import type { KeyedDevice } from '../keys/change-device-keys.ts';
import { type DeviceMessage, MAX_WAITING } from '../model/device-message.ts';
import { enqueue, pruneWaiting, readWaiting } from './device-queue.ts';

const QUEUE = 'queue';
const device = {
  _id: '@ann:test DEVICE',
  user_id: '@ann:test',
  device_id: 'DEVICE',
  key_ring: QUEUE,
  epoch: 0,
} as KeyedDevice;

it('a full queue keeps the oldest messages, drops new ones, and accepts them again when some were received', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const opened = await openCollections(store, collections);
  let dropped = 0;
  const droppedMessages = { add: () => void dropped++ };
  const deps = { ...opened, droppedMessages, nextMessageTime: risingTimes(createFakeClock()) };
  await opened.devices.insertOne({
    ...device,
    display_name: null,
    last_seen_ip: null,
    last_seen_user_agent: null,
    last_seen_ts: null,
  });
  const waiting = Array.from(
    { length: MAX_WAITING - 1 },
    (_, before): DeviceMessage => ({
      _id: `${QUEUE} ${before + 1}`,
      queue: QUEUE,
      user_id: device.user_id,
      device_id: device.device_id,
      epoch: 0,
      sent: before + 1,
      sender: '@ben:test',
      type: 'a',
      content: '{}',
      responses: [],
      received_ts: 0,
    }),
  );
  await opened.deviceMessages.insertMany(waiting);
  const send = (txnId: string) =>
    enqueue(deps, device, { sender: '@ben:test', device: 'B', type: 'a', txnId }, '{}');
  const count = () => opened.deviceMessages.countDocuments({ queue: QUEUE, received_ts: 0 });

  await send('1');
  expect([await count(), dropped]).toEqual([MAX_WAITING, 0]);
  await send('2');
  expect([await count(), dropped]).toEqual([MAX_WAITING, 1]);
  expect((await readWaiting(deps, QUEUE))[0]).toMatchObject({ sent: 1 });
  await opened.deviceMessages.updateOne({ _id: `${QUEUE} 1` }, { $set: { received_ts: 1, content: '' } });
  await send('2');
  expect([await count(), dropped]).toEqual([MAX_WAITING, 1]);
});

it('messages that no device has fetched are removed when they are as old as the settings say, and others stay', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const opened = await openCollections(store, collections);
  const clock = createFakeClock();
  const day = 24 * 60 * 60 * 1000;
  const message = (id: string, age: number, received: boolean): DeviceMessage => ({
    ...{
      _id: `${QUEUE} ${id}`,
      queue: QUEUE,
      user_id: device.user_id,
      device_id: device.device_id,
      epoch: 0,
    },
    ...{ sender: '@ben:test', type: 'a', content: '{}', responses: [] },
    sent: clock.now() - age,
    received_ts: received ? clock.now() : 0,
  });
  const all = [
    message('old', 8 * day, false),
    message('received', 8 * day, true),
    message('new', day, false),
  ];
  await opened.deviceMessages.insertMany(all);
  const idsAfter = async (deviceMessagesMs: number | undefined) => {
    await pruneWaiting({ ...opened, clock, settings: { deviceMessagesMs } });
    return (await opened.deviceMessages.find({}).toArray()).map(({ _id }) => _id.split(' ')[1]).sort();
  };
  expect(await idsAfter(undefined)).toEqual(['new', 'old', 'received']);
  expect(await idsAfter(7 * day)).toEqual(['new', 'received']);
});
