import { own, ownString, parseContentUri } from '@steward/kernel';
import type { EventDraft } from './event.ts';

/** The longest content URI that is indexed; URIs of real server names and media ids are shorter. */
const URI_MAX_BYTES = 517;

/**
 * The content URIs of the media in an event: its `url`, then that of its thumbnail, each once; none without a `url`
 * (behaviour.md 5).
 */
export function mediaUrisOf({ content }: Pick<EventDraft, 'content'>): readonly string[] {
  const url = own(content, 'url');
  if (typeof url !== 'string') return [];
  return [...new Set([url, own(own(content, 'info'), 'thumbnail_url')])].filter(isContentUri);
}

/** The most other content URIs of an event. */
const MAX_OTHERS = 100;

/** A content URI within a text, such as HTML. */
const WITHIN_TEXT = /mxc:\/\/[^/\s"'<>]+\/[^/\s"'<>#?&()\\]+/g;

/**
 * The content URIs anywhere else in the content of an event, each once: those of encrypted files, of images in HTML, of image packs.
 * At most 100.
 */
export function otherUrisOf(event: Pick<EventDraft, 'content' | 'type'>): readonly string[] {
  const known = new Set<unknown>([...mediaUrisOf(event), avatarUriOf(event)]);
  const found = new Set<string>();
  const values: unknown[] = [event.content];
  for (let value = values.pop(); value !== undefined && found.size < MAX_OTHERS; value = values.pop()) {
    if (typeof value === 'object' && value !== null) values.push(...Object.values(value));
    if (typeof value !== 'string') continue;
    for (const uri of [value, ...(value.match(WITHIN_TEXT) ?? [])])
      if (isContentUri(uri) && !known.has(uri)) found.add(uri);
  }
  return [...found].slice(0, MAX_OTHERS);
}

/** The content URI of the avatar that an event sets for a member or the room (behaviour.md 5.1). */
export function avatarUriOf({ type, content }: Pick<EventDraft, 'content' | 'type'>): string | undefined {
  const key = type === 'm.room.member' ? 'avatar_url' : type === 'm.room.avatar' ? 'url' : undefined;
  const uri = key === undefined ? undefined : ownString(content, key);
  return isContentUri(uri) ? uri : undefined;
}

function isContentUri(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    Buffer.byteLength(value) <= URI_MAX_BYTES &&
    value.isWellFormed() &&
    !value.includes('\0') &&
    parseContentUri(value) !== undefined
  );
}
