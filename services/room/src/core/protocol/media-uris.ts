import { own, ownString, parseContentUri } from '@steward/kernel';
import type { EventDraft } from './event.ts';

/** Longer than any content URI of a real server name and media id; longer ones are no keys of an index. */
const URI_MAX_BYTES = 517;

/**
 * The content URIs of the media that an event shows: its own before its thumbnail, each once, and only
 * where it has a `url` (behaviour.md 5).
 */
export function mediaUrisOf({ content }: Pick<EventDraft, 'content'>): readonly string[] {
  const url = own(content, 'url');
  if (typeof url !== 'string') return [];
  return [...new Set([url, own(own(content, 'info'), 'thumbnail_url')])].filter(isContentUri);
}

/** The content URI that a member or a room has as its avatar by an event (behaviour.md 5.1). */
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
