import { isTree, type Tree } from './layers.ts';

/** Settings of features that do not exist yet. */
const UNUSED = ['media.max_avatar_bytes', 'media.allowed_avatar_types'] as const;

/** A warning for each configured setting that has no effect. */
export function findUnusedSettings(values: Tree): string[] {
  return UNUSED.filter((path) => isSet(values, path.split('.'))).map(
    (path) => `${path} is set, but this version has nothing that obeys it`,
  );
}

function isSet(values: Tree, [key = '', ...rest]: readonly string[]): boolean {
  const value = values[key];
  if (rest.length > 0) return isTree(value) && isSet(value, rest);
  // A setting that is switched off needs no warning: the feature is off.
  return isTree(value) ? Object.values(value).some((inner) => isOn(inner)) : isOn(value);
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== false;
}
