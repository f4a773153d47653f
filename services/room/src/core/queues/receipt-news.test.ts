import { createFakeClock } from '@steward/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { ReceiptNews } from './receipt-news.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('announces a room at once, then once a second with all that came since', () => {
  vi.useFakeTimers();
  const clock = createFakeClock();
  const pass = (ms: number) => {
    clock.advance(ms);
    vi.advanceTimersByTime(ms);
  };
  const announced: string[] = [];
  const news = new ReceiptNews((roomId) => announced.push(roomId), clock);
  for (const roomId of ['a', 'a', 'b', 'a', 'a']) news.add(roomId);
  expect(announced).toEqual(['a', 'b']);
  pass(1_000);
  expect(announced).toEqual(['a', 'b', 'a']);
  pass(1_000);
  expect(announced).toEqual(['a', 'b', 'a']);
  news.add('a');
  news.add('a');
  news.close();
  pass(5_000);
  expect(announced).toEqual(['a', 'b', 'a', 'a']);
});
