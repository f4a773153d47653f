import { refuse } from '@steward/errors';
import { parseContentUri } from '@steward/kernel';

/** A profile text as it is stored: trimmed, and null when it is empty. */
export function profileText(text: string): string | null {
  return text.trim() || null;
}

/** @throws refuse.invalidParam when an avatar is not a content URI */
export function requireContentUri(uri: string): void {
  if (!parseContentUri(uri)) throw refuse.invalidParam("'avatar_url' must be a content URI");
}
