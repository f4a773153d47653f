import type { Layer, Tree } from './layers.ts';
import { listSettings } from './list-settings.ts';
import { nearest } from './nearest.ts';

/** The variable that names the configuration file. */
export const FILE_VARIABLE = 'STEWARD_CONFIG';

/** The variable with JSON that is merged over the file. */
export const OVERRIDES_VARIABLE = 'STEWARD_CONFIG_OVERRIDES';

const PREFIX = 'STEWARD_';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One layer for each variable that sets something. An empty variable sets nothing. */
export function readEnvironment(env: Environment): Layer[] {
  return listSettings().flatMap(({ path, env: name }) => {
    const text = name === undefined ? undefined : env[name];
    if (name === undefined || text === undefined || text === '') return [];
    return [{ source: name, values: nest(path, text) }];
  });
}

/** A warning for each unknown variable with the prefix of steward: perhaps a typing error, perhaps another program's. */
export function findUnknownVariables(env: Environment): string[] {
  const known = [FILE_VARIABLE, OVERRIDES_VARIABLE, ...listSettings().flatMap(({ env: name }) => name ?? [])];
  const names = known.map((name) => name.slice(PREFIX.length));
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((name) => {
      const meant = nearest(name.slice(PREFIX.length), names);
      return `${name} is not a setting${meant === undefined ? '' : `; did you mean ${PREFIX}${meant}?`}`;
    });
}

function nest(path: readonly string[], value: unknown): Tree {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Tree;
}
