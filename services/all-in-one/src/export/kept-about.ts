import type { JsonObject } from '@steward/kernel';
import type { SortedDocuments } from '@steward/store';
import { RECORD_FORMATS } from '../import/record-formats.ts';

/**
 * Collections whose documents are exported as records, or are not for the person whom they are about: secrets, what moderators write
 * of a case and who reported it, and work in progress.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'media.media',
  'moderation.cases',
  'moderation.inbox',
  'room.events',
  'room.imports',
  'room.members',
  'room.rooms',
  'room.state',
  'user.devices',
  'user.ended_sessions',
  'user.interactive_sessions',
  'user.login_tokens',
  'user.openid_tokens',
  'user.spent_nonces',
  ...RECORD_FORMATS.flatMap(({ documents, collections }) =>
    documents?.kind.owner === undefined ? [] : collections,
  ),
]);

/** The fields in which documents name the user whose they are. Reports of events name in `sender` the one who is reported. */
const OWNERS = ['user_id', 'creator', 'actor', 'requested_by'] as const;

/** Fields that are secrets, and those that are derived from others. */
const HIDDEN =
  /^(?:password_hash|second_factor|passkeys|pending|sessions|facet|directory_words|folded_.*|searched_.*|_grams)$/;

/** The other documents about a user: the complete account, account data, connections, pushers, audit entries and so on. */
export function* keptAbout(documents: SortedDocuments, user: string): Generator<JsonObject> {
  for (const collection of documents.collections) {
    if (LEFT_OUT.has(collection) || collection.endsWith('.outbox')) continue;
    for (const document of documents.sorted(collection, [])) {
      const fields = Object.entries(document);
      const isKey = document._id === user || document._id.startsWith(`${user} `);
      if (!isKey && !OWNERS.some((owner) => (document as unknown as JsonObject)[owner] === user)) continue;
      yield { collection, document: Object.fromEntries(fields.filter(([field]) => !HIDDEN.test(field))) };
    }
  }
}
