import { z } from 'zod';
import { schema } from './schema.ts';
import { type Setting, settings } from './setting.ts';

/** A setting with its path in the configuration. */
export interface PlacedSetting extends Partial<Setting> {
  /** Its keys, section first. */
  readonly path: readonly string[];
  /** Its schema, with default. */
  readonly schema: z.ZodType;
}

/** A schema without the wrappers for optional values and defaults. */
export function unwrap(wrapped: z.ZodType): z.ZodType {
  let inner: unknown = wrapped;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional) {
    inner = inner.unwrap();
  }
  return inner as z.ZodType;
}

/** Every setting, in the order of the reference. */
export function listSettings(): readonly PlacedSetting[] {
  return walk(schema, []);
}

function walk(node: z.ZodType, path: readonly string[]): PlacedSetting[] {
  const inner = unwrap(node);
  if (!(inner instanceof z.ZodObject)) return [{ path, schema: node, ...settings.get(node) }];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, child]) =>
    walk(child, [...path, key]),
  );
}
