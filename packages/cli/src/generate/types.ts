import { type OpenApiDocument, resolve, type Schema } from '@steward/sdk/generate';
import type { ParameterType } from '../operations/operation-command.ts';

interface TypeOfParameter {
  readonly type: ParameterType;
  readonly list: boolean;
  readonly nullable: boolean;
  readonly choices?: readonly string[];
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/** Returns how the text of a flag becomes a value of the schema. */
export function typeOf(schema: Schema, document: OpenApiDocument): TypeOfParameter {
  const { type, items, enum: choices } = resolve(schema, document);
  const types = typeof type === 'string' ? [type] : (type ?? []);
  const [kind = 'any', ...others] = types.filter((name) => name !== 'null');
  if (others.length > 0) return { type: 'any', list: false, nullable: false };
  if (kind === 'array' && items !== undefined) {
    const element = typeOf(items, document);
    return { ...element, list: true, nullable: false };
  }
  const nullable = types.includes('null') && kind !== 'string';
  if (!SCALARS.has(kind)) return { type: kind === 'any' ? 'any' : 'json', list: false, nullable };
  const texts = choices?.filter((choice) => choice !== null).map(String);
  return {
    type: kind as ParameterType,
    list: false,
    nullable,
    ...(texts !== undefined && { choices: texts }),
  };
}
