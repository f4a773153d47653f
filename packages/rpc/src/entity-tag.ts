import { headers } from './headers.ts';

/**
 * States the entity tag of what the answer shows, for methods that declare `entity_tag`.
 *
 * @param tag a strong tag with its quotes: `"a.1"`
 */
export function setEntityTag(header: Headers, tag: string): void {
  header.set(headers.entityTag, tag);
}

/** The entity tag that an answer states, if it does. */
export function readEntityTag(header: Headers): string | undefined {
  return header.get(headers.entityTag) ?? undefined;
}
