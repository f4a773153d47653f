import { flag, hourCountsKind, type RecordKind, recordKind, text } from '@steward/records';
import { collections } from '../collections.ts';
import { type QuarantineChange, quarantineChanges } from '../model/quarantine-change.ts';

/** The kinds of records of the service that are its documents, in the order in which they are loaded. */
export const recordKinds: readonly RecordKind[] = [
  recordKind<QuarantineChange>({
    name: 'quarantine_changes',
    about: 'A change of the quarantine, which are numbered from 1 without gaps.',
    collection: quarantineChanges,
    key: ['number', 'The number, in 16 digits.'],
    fields: {
      origin: text('The server of the medium.'),
      media_id: text('The media id.'),
      quarantined: flag('Whether it was quarantined, or released.'),
    },
  }),
  hourCountsKind('media', collections.hourCounts),
];
