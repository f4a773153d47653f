import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { importRecords, type Progress } from './import-records.ts';
import type { BatchResult, Kind } from './kind.ts';

const LINES = 6_000;

const lines = (count: number, lineOf = (n: number) => JSON.stringify({ n })) =>
  Readable.from([Array.from({ length: count }, (_, n) => `${lineOf(n)}\n`).join('')]);

/** A kind that accepts every record and loads a batch with `load`, in the next turn of the event loop. */
function kindOf(
  load: (records: readonly unknown[]) => Partial<Pick<BatchResult, 'problems' | 'skipped'>>,
): Kind {
  return {
    read: (line) => JSON.parse(line),
    async load(records) {
      await new Promise((resolve) => setImmediate(resolve));
      const { skipped = 0, problems = [] } = load(records);
      return { skipped, problems, loaded: records.length - skipped - problems.length };
    },
  };
}

function run(input: Readable, kind: Kind, strict = false) {
  const problems: string[] = [];
  const progress: Progress[] = [];
  const done = importRecords(input, kind, {
    strict,
    batchesInFlight: 4,
    onProblem: (line, problem) => problems.push(`${line}: ${problem}`),
    onProgress: (now) => progress.push({ ...now }),
  });
  return { done, problems, progress };
}

it('loads every line once, and reports its progress', async () => {
  const seen: number[] = [];
  const kind = kindOf((records) => {
    seen.push(...records.map((record) => (record as { n: number }).n));
    return {};
  });
  const { done, progress, problems } = run(lines(LINES), kind);
  expect(await done).toEqual({ lines: LINES, loaded: LINES, skipped: 0, bad: 0 });
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LINES }, (_, n) => n));
  expect(progress.length).toBeGreaterThan(1);
  expect(problems).toEqual([]);
});

it('loads a record with other ends of lines than a line feed', async () => {
  const seen: unknown[] = [];
  const kind = kindOf((records) => {
    seen.push(...records);
    return {};
  });
  const { done } = run(Readable.from(['{"n":"a\u2028b\u2029"}\r\n{"n":2}']), kind);
  expect(await done).toMatchObject({ lines: 2, loaded: 2, bad: 0 });
  expect(seen).toEqual([{ n: 'a\u2028b\u2029' }, { n: 2 }]);
});

it('loads the batches of an ordered kind sequentially', async () => {
  const seen: number[] = [];
  let loading = 0;
  const kind: Kind = {
    read: (line) => JSON.parse(line),
    inOrder: true,
    async load(records) {
      expect(++loading).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(...records.map((record) => (record as { n: number }).n));
      loading--;
      return { loaded: records.length, skipped: 0, problems: [] };
    },
  };
  const { done } = run(lines(LINES), kind);
  expect(await done).toMatchObject({ loaded: LINES });
  expect(seen).toEqual(Array.from({ length: LINES }, (_, n) => n));
});

it('names the line of every bad record, whether the reader or the service refuses it', async () => {
  const bad = new Set([7, 1_200, 2_999]);
  const input = lines(LINES, (n) => (n === 3 ? '{"n":' : n === 4 ? '' : JSON.stringify({ n })));
  const kind = kindOf((records) => ({
    problems: records.flatMap((record, index) =>
      bad.has((record as { n: number }).n) ? [{ index, problem: 'bad' }] : [],
    ) as unknown as BatchResult['problems'],
  }));
  const { done, problems } = run(input, kind);
  expect(await done).toEqual({ lines: LINES, loaded: LINES - 5, skipped: 0, bad: 4 });
  expect(problems).toHaveLength(4);
  expect(problems).toEqual(
    expect.arrayContaining([expect.stringMatching(/^4: /), '8: bad', '1201: bad', '3000: bad']),
  );
});

it.each([0, 1, 3, 5])('fails when batch %i cannot be loaded', async (failing) => {
  let batches = 0;
  const kind = kindOf(() => {
    if (batches++ === failing) throw new Error('The store is away');
    return {};
  });
  await expect(run(lines(LINES), kind).done).rejects.toThrow('The store is away');
});

it('fails when a batch cannot be loaded while the input pauses', async () => {
  const failed = Promise.withResolvers<void>();
  async function* input() {
    for (let n = 0; n < 1_000; n++) yield `${n}\n`;
    await failed.promise;
    // Everything that awaits the batch has continued by then.
    await new Promise((resolve) => setImmediate(resolve));
    yield '1000\n';
  }
  let batches = 0;
  const kind = kindOf(() => {
    if (batches++ > 0) return {};
    failed.resolve();
    throw new Error('The store is away');
  });
  await expect(run(Readable.from(input()), kind).done).rejects.toThrow('The store is away');
});

it('fails when the input does', async () => {
  const input = new Readable({
    read() {
      this.push('{"n":1}\n');
      this.destroy(new Error('The disk is away'));
    },
  });
  await expect(
    run(
      input,
      kindOf(() => ({})),
    ).done,
  ).rejects.toThrow('The disk is away');
});

it('stops reading at the first bad line when it is strict', async () => {
  const input = lines(LINES, (n) => (n === 700 ? 'bad' : JSON.stringify({ n })));
  const { done, problems } = run(
    input,
    kindOf(() => ({})),
    true,
  );
  expect(await done).toEqual({ lines: 701, loaded: 700, skipped: 0, bad: 1 });
  expect(problems).toEqual([expect.stringMatching(/^701: /)]);
});
