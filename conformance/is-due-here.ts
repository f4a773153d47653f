import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDue } from '@steward/testing';
import { expect } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** As `isDue` of `@steward/testing`, for a unit of the file of tests that is loaded, whose changes are guarded as well. */
export function isDueHere(name: string, guards: readonly string[], turns?: number): boolean {
  const file = relative(ROOT, expect.getState().testPath ?? '');
  return isDue(`${name} of ${file}`, [file, ...guards], { turns });
}
