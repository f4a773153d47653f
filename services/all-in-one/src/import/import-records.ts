import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Kind } from './kind.ts';

/** How many records go to a service at a time. */
const BATCH = 500;

/** The same, where one batch waits for the other: fewer waits. */
const BATCH_IN_ORDER = 1_000;

/** How many characters of records go to a service at a time, about: services refuse larger messages. */
const BATCH_LENGTH = 4 * 1024 * 1024;

/** How many batches are on their way at once: services of their own work on several. */
const BATCHES_IN_FLIGHT = 4;

/** How far a load has come. */
export interface Progress {
  readonly lines: number;
  readonly loaded: number;
  readonly skipped: number;
  readonly bad: number;
}

/** What a load is told, and whom it tells. */
export interface ImportOptions {
  /** Stop at the first bad line. */
  readonly strict: boolean;
  /** Told of every bad line, counted from 1. */
  readonly onProblem: (line: number, problem: string) => void;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Loads one file of records, one JSON object a line. What is loaded already is passed over, so that a
 * load that was cut short can be repeated.
 *
 * @returns how far it came; with `strict` that is up to the first batch with a bad line
 * @throws the error of the input, or of a service that could not load a batch
 */
export async function importRecords(input: Readable, kind: Kind, options: ImportOptions): Promise<Progress> {
  const progress = { lines: 0, loaded: 0, skipped: 0, bad: 0 };
  let batch: { line: number; record: unknown }[] = [];
  let batchLength = 0;
  const batchSize = kind.inOrder ? BATCH_IN_ORDER : BATCH;
  const maxInFlight = kind.inOrder ? 1 : BATCHES_IN_FLIGHT;
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
    // The next batch is read while one is on its way.
    if (inFlight.size >= maxInFlight) await Promise.race(inFlight);
    if (batch.length > 0) {
      const loading = load(batch);
      batch = [];
      batchLength = 0;
      inFlight.add(loading);
      // One that failed stays, so that whoever waits next learns of it.
      loading.then(
        () => inFlight.delete(loading),
        () => {},
      );
    }
  };
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    progress.lines++;
    if (text.trim() === '') continue;
    batchLength += text.length;
    try {
      batch.push({ line: progress.lines, record: kind.read(text) });
    } catch (error) {
      report(progress.lines, (error as Error).message);
    }
    if (batch.length === batchSize || batchLength >= BATCH_LENGTH) await flush();
    if (options.strict && progress.bad > 0) break;
  }
  await flush();
  await Promise.all(inFlight);
  return progress;
}
