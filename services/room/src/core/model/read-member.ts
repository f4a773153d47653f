import { type JsonObject, ownString } from '@steward/kernel';
import type { EventDocument } from './event-document.ts';
import { originalEvent } from './event-form.ts';

/** What a member document takes from a member event. */
export function readMember(document: EventDocument): {
  membership: string;
  displayname: string | null;
  avatar_url: string | null;
} {
  const { content } = originalEvent(document).event;
  return {
    membership: ownString(content, 'membership') ?? '',
    displayname: shown(content, 'displayname'),
    avatar_url: shown(content, 'avatar_url'),
  };
}

function shown(content: JsonObject, key: string): string | null {
  return ownString(content, key) ?? null;
}
