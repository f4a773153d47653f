import type { Readable } from 'node:stream';
import { linesOf } from '@steward/kernel';
import type { Kind } from './kind.ts';

/** How many records one call of a service loads: as many as it accepts. */
const BATCH = 1_000;

/** About how many characters of records one call of a service loads, because services refuse larger messages. */
const BATCH_LENGTH = 4 * 1024 * 1024;

/** The progress of an import. */
export interface Progress {
  readonly lines: number;
  readonly loaded: number;
  readonly skipped: number;
  readonly bad: number;
}

/** The settings of an import, and its callbacks. */
export interface ImportOptions {
  /** Stop after the batch with the first bad line. */
  readonly strict: boolean;
  /** The most batches that are loaded concurrently. */
  readonly batchesInFlight: number;
  /** Called for every bad line; lines are counted from 1. */
  readonly onProblem: (line: number, problem: string) => void;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Loads one file of records, one JSON object a line. Services skip records that are already loaded, so that an
 * administrator can repeat an interrupted import.
 *
 * @returns its progress at the end; with `strict` it ends at the first batch with a bad line
 * @throws the error of the input, or of a service that could not load a batch
 */
export async function importRecords(input: Readable, kind: Kind, options: ImportOptions): Promise<Progress> {
  const progress = { lines: 0, loaded: 0, skipped: 0, bad: 0 };
  let batch: { line: number; record: unknown }[] = [];
  let batchLength = 0;
  const maxInFlight = kind.inOrder ? 1 : options.batchesInFlight;
  const report = (line: number, problem: string) => {
    progress.bad++;
    options.onProblem(line, problem);
  };
  const inFlight = new Set<Promise<void>>();
  const load = async (lines: typeof batch) => {
    const result = await kind.load(lines.map(({ record }) => record));
    progress.loaded += result.loaded;
    progress.skipped += result.skipped;
    for (const { index, problem } of result.problems) report(lines[index]?.line ?? 0, problem);
    options.onProgress(progress);
  };
  const flush = async () => {
    // The next batch is read while this one is loaded.
    if (inFlight.size >= maxInFlight) await Promise.race(inFlight);
    if (batch.length > 0) {
      const loading = load(batch);
      batch = [];
      batchLength = 0;
      inFlight.add(loading);
      // A failed batch stays in the set, so that the next `Promise.race` or `Promise.all` rejects.
      loading.then(
        () => inFlight.delete(loading),
        () => {},
      );
    }
  };
  for await (const text of linesOf(input)) {
    progress.lines++;
    if (text.trim() === '') continue;
    batchLength += text.length;
    try {
      batch.push({ line: progress.lines, record: kind.read(text) });
    } catch (error) {
      report(progress.lines, (error as Error).message);
    }
    if (batch.length === BATCH || batchLength >= BATCH_LENGTH) await flush();
    if (options.strict && progress.bad > 0) break;
  }
  await flush();
  await Promise.all(inFlight);
  return progress;
}
