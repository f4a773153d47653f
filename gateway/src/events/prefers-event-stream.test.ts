import { expect, it } from 'vitest';
import { prefersEventStream } from './prefers-event-stream.ts';

it.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['text/event-stream', true],
  ['Text/Event-Stream', true],
  ['text/event-stream, */*', true],
  ['*/*;q=0.1, text/event-stream', true],
  ['text/*', true],
  ['application/json, text/event-stream', false],
  ['text/event-stream, application/json', true],
  ['text/event-stream;q=0.5, application/json', false],
  ['application/json;q=0.5, text/event-stream;q=0.6', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=0, */*', false],
  ['image/png', false],
  [';;,,q=', false],
])('Accept: %s', (accept, expected) => {
  expect(prefersEventStream(accept)).toBe(expected);
});
