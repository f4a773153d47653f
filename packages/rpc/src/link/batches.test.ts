import { describe, expect, it } from 'vitest';
import { BatchReader, BatchWriter } from './batches.ts';

const call = (id: number, bytes = 10) => ({
  id,
  method: 'a.B/C',
  header: { h: 'v' },
  request: new Uint8Array(bytes),
});

function written(add: (writer: BatchWriter) => void): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  const writer = new BatchWriter({ write: (chunk) => chunks.push(chunk) });
  add(writer);
  writer.flush();
  return chunks;
}

describe('a writer of batches', () => {
  it('sends what comes in one turn of the event loop in one write', async () => {
    const chunks: Uint8Array[] = [];
    const writer = new BatchWriter({ write: (chunk) => chunks.push(chunk) });
    for (let id = 1; id <= 20; id++) writer.add('calls', call(id), 10);
    writer.add('cancelled', 7, 0);
    await new Promise(setImmediate);
    expect(chunks).toHaveLength(1);
    const [batch] = new BatchReader().read(chunks[0] as Uint8Array);
    expect(batch?.calls.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(batch).toMatchObject({ cancelled: [7], closing: false });
  });

  it('ends a batch that is full', () => {
    const large = 200 * 1024;
    const chunks = written((writer) => {
      for (let id = 1; id <= 5; id++) writer.add('calls', call(id, large), large);
    });
    expect(chunks).toHaveLength(3);
  });

  it('announces the end after what waits', () => {
    const chunks = written((writer) => {
      writer.add('answers', { id: 1, response: new Uint8Array(3) }, 3);
      writer.announceClosing();
    });
    const batches = chunks.flatMap((chunk) => new BatchReader().read(chunk));
    expect(batches).toMatchObject([{ answers: [{ id: 1 }], closing: false }, { closing: true }]);
  });
});

describe('a reader of batches', () => {
  const bytes = Buffer.concat(
    [1, 2, 3].flatMap((id) => written((writer) => writer.add('calls', call(id, id * 50), id * 50))),
  );

  it.each([1, 2, 3, 7, 64, 100, bytes.length])('reads them from chunks of %i bytes', (size) => {
    const reader = new BatchReader();
    const ids: number[] = [];
    for (let at = 0; at < bytes.length; at += size)
      for (const { calls } of reader.read(bytes.subarray(at, at + size)))
        ids.push(...calls.map(({ id }) => id));
    expect(ids).toEqual([1, 2, 3]);
  });

  it('refuses one that is too large before it is received', () => {
    expect(() => new BatchReader().read(Buffer.from([0x7f, 0, 0, 0]))).toThrow(RangeError);
  });
});
