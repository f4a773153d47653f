import { flag, furtherFields, nullable, optional, stillToDo, text } from '@steward/records';
import type { ListedHash } from '../model/listed-hash.ts';
import type { Media } from '../model/media.ts';

/** What records of media have in fields of the message, and what follows from other fields. */
type OfMedia =
  | 'origin'
  | 'media_id'
  | 'user_id'
  | 'created_ts'
  | 'length'
  | 'type'
  | 'upload_name'
  | 'last_access_ts'
  | 'quarantined_by'
  | 'blob'
  | 'state'
  | 'media_type'
  | 'media_class'
  | 'is_quarantined'
  | 'is_protected'
  | 'thumbnails'
  | 'version'
  | 'uncounted'
  | 'unchecked'
  | 'shown'
  | 'checks'
  | 'deleting_ts';

/** The fields of media that no message has. */
export const furtherOfMedia = furtherFields<Media, OfMedia>({
  sha256: nullable(text('The SHA-256 of its bytes, in hexadecimal; null if this server never had them.')),
  safe_from_quarantine: flag('Whether it is protected from quarantine.'),
  authenticated: flag('Whether downloads require a token.'),
  quarantined_in: optional(text('The last task that quarantined it.')),
  url_cache: optional(text('The page whose preview it is.')),
  pending: stillToDo(),
});

/** The fields of hashes that no message has. */
export const furtherOfHash = furtherFields<ListedHash, Exclude<keyof ListedHash, 'applied_by'>>({
  applied_by: optional(text('The last request to apply it to media that existed.')),
});
