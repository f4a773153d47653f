import { risingTimes, systemRandom } from '@steward/kernel';
import { openCollections } from '@steward/service';
import { type FindCursor, openSqliteStore } from '@steward/store';
import { aroundCollection, stores } from '@steward/store/testing';
import { createMetrics } from '@steward/telemetry';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collections } from '../collections.ts';
import type { KeyedDevice } from '../keys/change-device-keys.ts';
import { type DeviceMessage, MAX_WAITING, MAX_WAITING_BYTES } from '../model/device-message.ts';
import { acknowledge, deliver, enqueue, pruneWaiting } from './device-queue.ts';
import { meterDeviceMessages } from './meter-device-messages.ts';

const QUEUE = 'queue';
const device = {
  _id: '@ann:test DEVICE',
  user_id: '@ann:test',
  device_id: 'DEVICE',
  key_ring: QUEUE,
  epoch: 0,
} as KeyedDevice;

const waiting = (bytes: number): DeviceMessage => ({
  _id: `${QUEUE} before`,
  queue: QUEUE,
  user_id: device.user_id,
  device_id: device.device_id,
  epoch: 0,
  sent: 1,
  sender: '@ben:test',
  type: 'a',
  content: '{}',
  bytes,
  responses: [],
  received_ts: 0,
});

describe.each(stores)('a queue of messages $title', ({ missing, open }) => {
  /** The device with its queue, and what else a test needs. */
  const begin = async () => {
    const { store, drop } = await open();
    onTestFinished(drop);
    const opened = await openCollections(store, collections);
    const clock = createFakeClock();
    let dropped = 0;
    const droppedMessages = { add: () => void dropped++ };
    const deps = {
      ...opened,
      clock,
      random: systemRandom,
      droppedMessages,
      nextMessageTime: risingTimes(clock),
    };
    await opened.devices.insertOne({
      ...device,
      display_name: null,
      last_seen_ip: null,
      last_seen_user_agent: null,
      last_seen_ts: null,
    });
    const send = (txnId: string, content = '{}') =>
      enqueue(deps, device, { sender: '@ben:test', device: 'B', type: 'a', txnId }, content);
    const state = async () => [
      await opened.deviceMessages.countDocuments({ queue: QUEUE, received_ts: 0 }),
      dropped,
    ];
    /** Receives the oldest messages, as one sync does and the next one acknowledges. */
    const receive = async () => {
      const { delivery } = await deliver(deps, QUEUE);
      if (delivery) await acknowledge(deps, QUEUE, delivery);
    };
    return { deps, clock, send, state, receive };
  };

  it.skipIf(missing)(
    'keeps the oldest ones when it is full, drops new ones, and accepts them again when some were received',
    async () => {
      const { deps, send, state, receive } = await begin();
      await send('1');
      await deps.deviceQueues.updateOne({ _id: QUEUE }, { $set: { messages: MAX_WAITING - 1 } });
      await send('2');
      expect(await state()).toEqual([2, 0]);
      await send('3');
      expect(await state()).toEqual([2, 1]);
      await receive();
      await send('3');
      expect(await state()).toEqual([1, 1]);
    },
  );

  it.skipIf(missing)('has a size, within which messages are accepted', async () => {
    const { deps, send, state, receive } = await begin();
    await deps.deviceMessages.insertOne(waiting(MAX_WAITING_BYTES - 10));
    await send('small');
    await send('large', '{"a":"bcdef"}');
    expect(await state()).toEqual([2, 1]);
    for (let repeated = 0; repeated < 10; repeated++) await send('small');
    await send('another', '{"a":1}');
    expect(await state()).toEqual([3, 1]);
    await receive();
    await send('large', '{"a":"bcdef"}');
    expect(await state()).toEqual([1, 1]);
    expect(await deps.deviceQueues.findOne({ _id: QUEUE })).toMatchObject({ messages: 1, bytes: 13 });
  });

  it.skipIf(missing)(
    'is counted again when it seems to be full after a crash, but not each time',
    async () => {
      const { deps, clock, send, state } = await begin();
      await send('1');
      // A process that crashed after it had reserved the space.
      await deps.deviceQueues.updateOne({ _id: QUEUE }, { $set: { bytes: MAX_WAITING_BYTES } });
      await send('2');
      expect(await state()).toEqual([1, 1]);
      clock.advance(60_000);
      await send('3');
      expect(await state()).toEqual([2, 1]);
    },
  );

  it.skipIf(missing)('has space for the first messages, also when they arrive together', async () => {
    const { deps, send, state } = await begin();
    let isFirst = true;
    const deviceQueues = aroundCollection(deps.deviceQueues, {
      async call(operation, _, run) {
        const result = await run();
        // Another request counts the queue after this one has not found it.
        if (operation === 'updateOne' && isFirst) {
          isFirst = false;
          await send('2');
        }
        return result;
      },
      async *iterate<D>(cursor: FindCursor<D>) {
        yield* cursor;
      },
    });
    await enqueue(
      { ...deps, deviceQueues },
      device,
      { sender: '@ben:test', device: 'B', type: 'a', txnId: '1' },
      '{}',
    );
    expect(await state()).toEqual([2, 0]);
  });

  it.skipIf(missing)('is in the metric with the messages that no device has acknowledged', async () => {
    const { deps, send, receive } = await begin();
    for (const txn of ['1', '2', '2']) await send(txn);
    await receive();
    await send('3');
    const metrics = createMetrics({ program: 'steward', release: '1.0.0' });
    meterDeviceMessages(deps, metrics);
    expect(await metrics.render()).toMatch(/^steward_device_messages_waiting 1$/m);
  });

  it.skipIf(missing)('releases the space of a response once when it is acknowledged repeatedly', async () => {
    const { deps, send } = await begin();
    for (const txn of ['1', '2', '3']) await send(txn);
    const { delivery } = await deliver(deps, QUEUE);
    await send('4');
    if (!delivery) throw new Error('nothing is delivered');
    await Promise.all([1, 2, 3].map(() => acknowledge(deps, QUEUE, delivery)));
    const queue = await deps.deviceQueues.findOne({ _id: QUEUE });
    // It may be 4: concurrent repetitions release nothing, until the queue is counted again.
    expect(queue?.messages).toBeGreaterThanOrEqual(1);
  });
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
