import { expect, it } from 'vitest';
import { Notifications } from './notifications.ts';

it('calls each listener of the topic until it stops', () => {
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

it('keeps a later listener when an earlier one stops again', () => {
  const notifications = new Notifications();
  let calls = 0;
  const stop = notifications.onNotification('a', () => {});
  stop();
  notifications.onNotification('a', () => void calls++);
  stop();
  notifications.notify('a');
  expect(calls).toBe(1);
});
