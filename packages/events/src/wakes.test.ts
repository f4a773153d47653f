import { expect, it } from 'vitest';
import { Wakes } from './wakes.ts';

it('calls whoever listens to the topic, until they stop', () => {
  const wakes = new Wakes();
  let calls = 0;
  const count = () => void calls++;
  const stopFirst = wakes.onWake('a', count);
  const stopSecond = wakes.onWake('a', count);
  wakes.onWake('b', () => expect.unreachable());
  wakes.wake('a');
  expect(calls).toBe(2);
  stopFirst();
  stopSecond();
  stopSecond();
  wakes.wake('a');
  expect(calls).toBe(2);
});

it('does not end a later listener with an earlier one', () => {
  const wakes = new Wakes();
  let calls = 0;
  const stop = wakes.onWake('a', () => {});
  stop();
  wakes.onWake('a', () => void calls++);
  stop();
  wakes.wake('a');
  expect(calls).toBe(1);
});
