import { type JsonObject, ownString } from '@steward/kernel';
import type { EventDocument } from './event-document.ts';
import { originalEvent } from './event-form.ts';

/** The fields of a member document that come from a member event. */
export function readMember(document: EventDocument): {
  membership: string;
  displayname: string | null;
  avatar_url: string | null;
} {
  const { content } = originalEvent(document).event;
  return {
    membership: ownString(content, 'membership') ?? '',
    displayname: textOf(content, 'displayname'),
    avatar_url: textOf(content, 'avatar_url'),
  };
}

function textOf(content: JsonObject, key: string): string | null {
  return ownString(content, key) ?? null;
}
