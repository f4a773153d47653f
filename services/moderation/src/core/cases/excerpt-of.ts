import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CaseExcerptSchema } from '@steward/proto/steward/moderation/v1/reports_pb.ts';

/** The maximum length of the text, in characters. */
const MAX_CHARACTERS = 300;
/** Longer ones are not content URIs. */
const MAX_URI_CHARACTERS = 512;

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the beginning of what a copy shows. Users of any client wrote the content of events: what is not as expected is left out.
 *
 * @param content the content of the copy, see `keepEvidence`
 */
export function excerptOf(content: string): MessageInitShape<typeof CaseExcerptSchema> {
  const { event, user, room } = JSON.parse(content) as Json;
  if (isObject(event)) {
    const shown = isObject(event.content) ? event.content : {};
    const text = beginningOf(shown.body);
    const uri = uriOf(shown.url);
    return { ...text, ...uri, ...(typeof event.type === 'string' ? { eventType: event.type } : {}) };
  }
  if (isObject(user)) return { ...beginningOf(user.displayname), ...uriOf(user.avatar_url) };
  if (isObject(room)) return { ...beginningOf(room.name), ...uriOf(room.avatar_url) };
  return {};
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function beginningOf(value: unknown): { text?: string } {
  if (typeof value !== 'string' || value === '') return {};
  // Twice as many code units, so that the whole of a long text is not split.
  return { text: [...value.slice(0, 2 * MAX_CHARACTERS)].slice(0, MAX_CHARACTERS).join('') };
}

function uriOf(value: unknown): { mediaUri?: string } {
  return typeof value === 'string' && value.startsWith('mxc://') && value.length <= MAX_URI_CHARACTERS
    ? { mediaUri: value }
    : {};
}
