import { DatabaseSync } from 'node:sqlite';
import { dueCalls } from '@steward/testing';
import { expect, it } from 'vitest';
import { type Ended, runCommand } from '../fixtures/processes.ts';
import { CHANGES, onMove } from './fixtures/move.ts';

/** How many moments of a command there are at which it is killed. */
const MOMENTS = 20;

const GUARDS = [
  'packages/migrate/src/',
  'packages/records/src/',
  'services/all-in-one/src/import/',
  'services/all-in-one/src/migrate/',
];

/** How long all kills may take, in milliseconds. */
const LIMIT_MS = 10 * 60_000;

/** Runs a command that one may kill. */
type Killable = (killWhen?: () => boolean) => Promise<Ended>;

/** How long a command takes, in milliseconds. */
async function durationOf(run: Killable): Promise<number> {
  const began = performance.now();
  const { signal } = await run();
  expect(signal).toBeNull();
  return performance.now() - began;
}

/** Kills a command at moments that are spread over its duration, one run after the other, and then lets it end. */
async function killOften(name: string, durationMs: number, run: Killable): Promise<Ended> {
  for (const moment of dueCalls(MOMENTS, name, GUARDS)) {
    const at = performance.now() + (durationMs * moment) / MOMENTS;
    await run(() => performance.now() >= at);
  }
  return run();
}

it(
  'a copy that was killed at many moments ends in the state of one that was not, the first one and a later one',
  onMove(async ({ copy, data, database, exported }) => {
    const whole = `${data}-whole`;
    const durationMs = await durationOf((killWhen) => copy(whole, killWhen));
    const first = await killOften('kills of a copy', durationMs, (killWhen) => copy(data, killWhen));
    expect(first.code, first.stderr).toBe(3);
    expect(await exported(data)).toEqual(await exported(whole));
    const old = new DatabaseSync(database);
    old.exec(CHANGES);
    old.close();
    const later = await killOften('kills of a later copy', durationMs, (killWhen) => copy(data, killWhen));
    expect(later.code, later.stderr).toBe(3);
    await copy(whole);
    expect(await exported(data), later.stderr).toEqual(await exported(whole));
  }),
  LIMIT_MS,
);

it(
  'an import that was killed at many moments ends in the state of one that was not',
  onMove(async ({ copy, data, exportTo, exported }) => {
    await copy();
    const folder = await exportTo(data);
    const load = (into: string) => (killWhen?: () => boolean) =>
      runCommand('import', {
        args: [folder],
        settings: { STEWARD_DATA: into },
        ...(killWhen ? { killWhen } : {}),
      });
    const durationMs = await durationOf(load(`${data}-whole`));
    const killed = `${data}-killed`;
    const { code, stderr } = await killOften('kills of an import', durationMs, load(killed));
    expect(code, stderr).toBe(0);
    expect(await exported(killed)).toEqual(await exported(data));
  }),
  LIMIT_MS,
);
