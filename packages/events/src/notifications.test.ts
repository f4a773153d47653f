import { expect, it } from 'vitest';
import { Notifications } from './notifications.ts';

it('calls whoever listens to the topic, until they stop', () => {
  const notifications = new Notifications();
  let calls = 0;
  const count = () => void calls++;
  const stopFirst = notifications.onNotification('a', count);
  const stopSecond = notifications.onNotification('a', count);
  notifications.onNotification('b', () => expect.unreachable());
  notifications.notify('a');
  expect(calls).toBe(2);
  stopFirst();
  stopSecond();
  stopSecond();
  notifications.notify('a');
  expect(calls).toBe(2);
});

it('does not end a later listener with an earlier one', () => {
  const notifications = new Notifications();
  let calls = 0;
  const stop = notifications.onNotification('a', () => {});
  stop();
  notifications.onNotification('a', () => void calls++);
  stop();
  notifications.notify('a');
  expect(calls).toBe(1);
});
