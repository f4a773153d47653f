import { risingTimes } from '@steward/kernel';
import { openCollections } from '@steward/service';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { collections } from '../collections.ts';
import type { KeyedDevice } from '../keys/change-device-keys.ts';
import { type DeviceMessage, MAX_WAITING } from '../model/device-message.ts';
import { enqueue, readWaiting } from './device-queue.ts';

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
