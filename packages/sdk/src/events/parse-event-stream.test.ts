import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEventStream, type StreamMessage } from './parse-event-stream.ts';

const STREAM = [
  '\uFEFF: welcome\r\n\r\n',
  'id: 7\n\n',
  'retry: 250\rid: 8\rdata: {"a":"ü😀"}\r\r',
  ': heartbeat\n\n',
  'event: x\ndata:one\r\ndata: two\ndata\n\n',
  'id: a\0b\ndata:  spaced\n\n',
  'retry: soon\ndata: last\nunknown: x\n\n',
  'data: not complete\n',
].join('');

const MESSAGES: readonly StreamMessage[] = [
  { id: '7', data: undefined, retryMs: undefined },
  { id: '8', data: '{"a":"ü😀"}', retryMs: 250 },
  { id: '8', data: 'one\ntwo\n', retryMs: undefined },
  { id: '8', data: ' spaced', retryMs: undefined },
  { id: '8', data: 'last', retryMs: undefined },
];

test('a stream has the same messages wherever its chunks are cut', async () => {
  const bytes = new TextEncoder().encode(STREAM);
  const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: bytes.length });
  const each = Array.from(bytes, (_, index) => index);
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      expect(await parse(bytes, places)).toEqual(MESSAGES);
    }),
    { examples: [[[]], [each]] },
  );
});

async function parse(bytes: Uint8Array, cuts: readonly number[]): Promise<StreamMessage[]> {
  const messages: StreamMessage[] = [];
  for await (const message of parseEventStream(chunksOf(bytes, cuts))) messages.push(message);
  return messages;
}

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const to of [...cuts.toSorted((one, other) => one - other), bytes.length]) {
    yield bytes.subarray(from, to);
    from = to;
  }
}
