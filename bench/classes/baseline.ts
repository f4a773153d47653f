import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Load } from '../load.ts';

/** The figures of a class. */
export interface Figures extends Omit<Load, 'answers' | 'meanMs'> {
  /** Processor time per answer, in milliseconds. */
  readonly cpuMs: number;
  /** The same as a multiple of the floor's. */
  readonly ofFloor: number;
}

/** The committed figures: processor time per answer, in milliseconds, by number of users and class. */
interface Baseline {
  /** The model of the processor: only figures of the same model are compared. */
  readonly processor: string;
  readonly cpuMs: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const FILE = fileURLToPath(new URL('baseline.json', import.meta.url));

/** A class that needs this many times the processor time of the baseline has become slower. */
const SLOWER = 1.1;

/** The precision of the committed figures, in decimals of a millisecond. */
const DECIMALS = 3;

type All = ReadonlyMap<number, ReadonlyMap<string, Figures>>;

const processor = () => cpus()[0]?.model ?? 'unknown';

/** Names the classes that have become slower than the committed baseline. */
export async function compareWithBaseline(all: All): Promise<void> {
  const baseline: Baseline = JSON.parse(await readFile(FILE, 'utf8'));
  if (baseline.processor !== processor()) {
    console.log(`\nThe baseline was measured on another processor (${baseline.processor}): not compared.`);
    return;
  }
  console.log('\nslower than the baseline by more than 10 %');
  for (const [users, classes] of all) {
    for (const [name, { cpuMs }] of classes) {
      const before = baseline.cpuMs[users]?.[name];
      if (before === undefined || cpuMs <= before * SLOWER) continue;
      console.log(`${users} users, ${name}: ${before} -> ${cpuMs.toFixed(DECIMALS)} ms`);
    }
  }
}

/** Makes the figures the committed baseline; classes and scales that were not measured keep theirs. */
export async function writeBaseline(all: All): Promise<void> {
  const before: Partial<Baseline> = await readFile(FILE, 'utf8').then(JSON.parse, () => ({}));
  const kept = before.processor === processor() ? { ...before.cpuMs } : {};
  for (const [users, classes] of all) {
    const measured = [...classes].map(([name, { cpuMs }]) => [name, Number(cpuMs.toFixed(DECIMALS))]);
    kept[users] = { ...kept[users], ...Object.fromEntries(measured) };
  }
  const baseline: Baseline = { processor: processor(), cpuMs: kept };
  await writeFile(FILE, `${JSON.stringify(baseline, null, 2)}\n`);
}
