import { isTree, type Tree } from './layers.ts';

/** Settings that belong to parts of the server which do not exist yet. */
const UNREAD = ['media.max_avatar_bytes', 'media.allowed_avatar_types'] as const;

/** A line for each setting that was made and that nothing obeys: better said than silently ignored. */
export function findUnread(values: Tree): string[] {
  return UNREAD.filter((path) => isSet(values, path.split('.'))).map(
    (path) => `${path} is set, but this version has nothing that obeys it`,
  );
}

function isSet(values: Tree, [key = '', ...rest]: readonly string[]): boolean {
  const value = values[key];
  if (rest.length > 0) return isTree(value) && isSet(value, rest);
  // What is switched off is off indeed.
  return isTree(value) ? Object.values(value).some((inner) => isOn(inner)) : isOn(value);
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== false;
}
