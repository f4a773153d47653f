import { avatarUriOf, mediaUrisOf, otherUrisOf, type StoredEvent } from '../protocol/mod.ts';
import type { EventDocument } from './event-document.ts';

/** The fields of an event document with the content URIs in the event. */
export type MediaFields = Pick<EventDocument, 'media' | 'avatar' | 'other_media'>;

/** Finds the content URIs in an event. */
export function mediaFieldsOf(event: StoredEvent): MediaFields {
  const avatar = event.state_key === undefined ? undefined : avatarUriOf(event);
  const others = otherUrisOf(event);
  return {
    media: mediaUrisOf(event),
    ...(avatar === undefined ? {} : { avatar }),
    ...(others.length === 0 ? {} : { other_media: others }),
  };
}

/** The content URIs of the media that an event shows, its avatar included. */
export function mediaOf({ media, avatar, other_media = [] }: MediaFields): readonly string[] {
  return [...media, ...(avatar === undefined ? [] : [avatar]), ...other_media];
}
