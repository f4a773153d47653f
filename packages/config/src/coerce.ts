import { z } from 'zod';
import { isTree, type Tree } from './layers.ts';
import { listSettings, unwrap } from './list-settings.ts';

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['0', false],
]);
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/**
 * Converts texts to the types of their settings: flags, numbers, lists with commas. A text without such a value
 * stays, and the schema refuses it.
 */
export function coerce(values: Tree): void {
  for (const { path, schema } of listSettings()) {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => (isTree(at) ? at[key] : undefined), values);
    const key = path.at(-1);
    if (key === undefined || !isTree(parent) || !(key in parent)) continue;
    parent[key] = coerceValue(unwrap(schema), parent[key]);
  }
}

function coerceValue(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodBoolean) return FLAGS.get(String(value).toLowerCase()) ?? value;
  if (schema instanceof z.ZodNumber && typeof value === 'string')
    return NUMBER.test(value) ? Number(value) : value;
  if (schema instanceof z.ZodArray && typeof value === 'string') {
    return value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }
  // YAML parses a room version as a number.
  if (schema instanceof z.ZodEnum && typeof value === 'number') return String(value);
  return value;
}
