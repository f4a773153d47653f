import { z } from 'zod';
import { listSettings } from './list-settings.ts';
import { schema } from './schema.ts';
import { type Setting, settings } from './setting.ts';

/** What regular expressions of other languages do not have: looking ahead and behind. */
const LOOKAROUND = /\(\?<?[=!]/;

/** Part of a JSON schema. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly [keyword: string]: unknown;
}

/**
 * The JSON schema (2020-12) of a configuration file, for tools of other languages that check files. It refuses unknown keys.
 * It permits some values that the server refuses, for example a server name with a space.
 *
 * @param admits which settings a file may have; all when left out
 */
export function configSchema(
  admits: (path: readonly string[], setting: Partial<Setting>) => boolean = () => true,
): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      const governs = settings.get(zodSchema)?.governs;
      if (governs !== undefined) jsonSchema.description = governs;
      if (LOOKAROUND.test(jsonSchema.pattern ?? '')) delete jsonSchema.pattern;
    },
  }) as JsonSchema;
  const refused = listSettings().filter(({ path, ...setting }) => !admits(path, setting));
  return refused.reduce((reduced, { path }) => without(reduced, path), json);
}

/** The schema without a setting, and without a section of which nothing is left. */
function without(json: JsonSchema, [key = '', ...rest]: readonly string[]): JsonSchema {
  const { [key]: child, ...others } = json.properties ?? {};
  if (child === undefined || rest.length === 0) return { ...json, properties: others };
  const reduced = without(child, rest);
  const empty = Object.keys(reduced.properties ?? {}).length === 0;
  return { ...json, properties: empty ? others : { ...json.properties, [key]: reduced } };
}
