import { parseContentUri } from './parse-content-uri.ts';

/** A file that an event shows. */
export interface ShownFile {
  readonly serverName: string;
  readonly mediaId: string;
  readonly name: string;
}

/** A field of JSON that users of any server wrote: undefined where it is not as expected. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[name];
  }
  return current;
}

/** A text in such JSON; undefined for other values and for the empty one. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldOf(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** A number in such JSON. */
export function numberOf(value: unknown, ...path: readonly string[]): number | undefined {
  const found = fieldOf(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** The file of an event that the server can read; undefined for none and for encrypted ones. */
export function fileOf(content: unknown): ShownFile | undefined {
  const parsed = parseContentUri(textOf(content, 'url'));
  if (parsed === undefined) return undefined;
  return { ...parsed, name: textOf(content, 'filename') ?? textOf(content, 'body') ?? parsed.mediaId };
}

/** The avatar in a copy of a profile or a room. */
export function avatarOf(profile: unknown, name: string): ShownFile | undefined {
  const parsed = parseContentUri(textOf(profile, 'avatar_url'));
  return parsed && { ...parsed, name };
}
