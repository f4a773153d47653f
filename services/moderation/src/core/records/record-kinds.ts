import { isDeepStrictEqual } from 'node:util';
import {
  flag,
  hourCountsKind,
  id,
  inner,
  list,
  nullable,
  object,
  ofAggregate,
  oneOf,
  type RecordKind,
  recordKind,
  stillToDo,
  text,
  whole,
} from '@steward/records';
import { collections } from '../collections.ts';
import { type FigureSample, figureSamples } from '../model/figure-sample.ts';
import { type NoticeRoom, noticeRooms } from '../model/notice-room.ts';
import { type Webhook, type WebhookSecret, webhooks } from '../model/webhook.ts';
import { REPORT_KINDS } from './report-kinds.ts';

/** A webhook that has sent nothing. */
const NOTHING_SENT = {
  position: 0,
  last_success_ts: null,
  last_failure_ts: null,
  failing_since_ts: null,
  missed_from: null,
  missed_to: null,
} as const;

/** The kinds of records of the service that are its documents, in the order in which they are loaded. */
export const recordKinds: readonly RecordKind[] = [
  ...REPORT_KINDS,
  recordKind<NoticeRoom>({
    name: 'notice_rooms',
    about: 'The room in which a user receives server notices.',
    collection: noticeRooms,
    key: ['user_id', 'The user id.'],
    owner: 'user_id',
    fields: {
      room_id: id('The room id.'),
      made: flag('Whether the room is complete.'),
    },
  }),
  recordKind<Webhook, 'progress'>({
    name: 'webhooks',
    about:
      'A receiver to which events of the feed are sent. It contains the secrets with which messages are signed. What it has sent is not exported: it begins with the feed of the server that loads it.',
    collection: webhooks,
    key: ['id', '28 hexadecimal digits, of which the first 12 are the time of its creation.'],
    fields: {
      ...ofAggregate,
      url: text('Where messages are sent.'),
      description: text('What it is for.'),
      types: list(text('Types of events and patterns; all when empty.')),
      targets: list(text('What the events must concern; all when empty.')),
      enabled: flag('Whether it is switched on.'),
      disabled_reason: oneOf(
        ['', 'requested', 'gone', 'failing'],
        'Why it is switched off; empty while it is on.',
      ),
      enabled_ts: whole('When it was switched on last.'),
      scopes: nullable(list(text('The scopes of who made it; null for all.'))),
      created_ts: whole('When it was created.'),
      created_by: text('Who created it.'),
      changed_ts: whole('When it was changed last.'),
      changed_by: text('Who changed it.'),
      secrets: list(
        object<WebhookSecret>('The present secret, and the previous one if it may still sign.', {
          secret: text('`whsec_` and base64.'),
          until: nullable(
            whole('Until when it signs, in milliseconds since the Unix epoch; null for the current one.'),
          ),
        }),
      ),
      deleted: flag('Whether it is being deleted.'),
      pending: stillToDo(),
    },
    derived: { progress: () => NOTHING_SENT },
  }),
  recordKind<FigureSample>({
    name: 'figures',
    about: 'The figures of the server in one hour, for the statistics.',
    collection: figureSamples,
    key: ['hour', 'The hour.'],
    fields: { figures: inner('The figures, by name.') },
    merge: ({ figures: stored }, { figures }) =>
      isDeepStrictEqual(stored, figures) ? undefined : { figures },
  }),
  hourCountsKind('moderation', collections.hourCounts),
];
