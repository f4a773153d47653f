import { expect } from 'vitest';
import type { Outcome } from './outcome.ts';

/** How many calls are made at once. */
const AT_ONCE = 16;

/** One call of the matrix. */
export interface Cell {
  /** Its caller, for the report. */
  readonly name: string;
  readonly expected: Outcome;
  readonly call: () => Promise<Outcome>;
}

/** Makes all calls, and fails with those whose outcome is not the expected one. */
export async function checkCells(cells: readonly Cell[]): Promise<void> {
  const wrong: string[] = [];
  for (let n = 0; n < cells.length; n += AT_ONCE) {
    const batch = cells.slice(n, n + AT_ONCE);
    const outcomes = await Promise.all(batch.map(({ call }) => call()));
    for (const [index, { name, expected }] of batch.entries())
      if (outcomes[index] !== expected) wrong.push(`${name}: ${outcomes[index]}, not ${expected}`);
  }
  expect(wrong.join('\n')).toBe('');
}
