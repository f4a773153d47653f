import { refuse } from '@steward/errors';
import { z } from 'zod';

const strings = z.array(z.string());
const userIds = z.array(z.string().regex(/^@[^:]*:/, 'must be a user id'));
const roomIds = z.array(z.string().startsWith('!', 'must be a room id'));
const flag = z.boolean().optional();

const eventFilter = z.looseObject({
  limit: z.int().min(0).optional(),
  senders: userIds.optional(),
  not_senders: userIds.optional(),
  types: strings.optional(),
  not_types: strings.optional(),
});

const roomEventFilter = z.looseObject({
  ...eventFilter.shape,
  rooms: roomIds.optional(),
  not_rooms: roomIds.optional(),
  contains_url: flag,
  lazy_load_members: flag,
  include_redundant_members: flag,
  unread_thread_notifications: flag,
  related_by_senders: userIds.optional(),
  related_by_rel_types: strings.optional(),
});

/** The keys of a filter that have a meaning; others are stored and ignored. */
const filterSchema = z.looseObject({
  event_fields: strings.optional(),
  event_format: z.enum(['client', 'federation']).optional(),
  presence: eventFilter.optional(),
  account_data: eventFilter.optional(),
  room: z
    .looseObject({
      rooms: roomIds.optional(),
      not_rooms: roomIds.optional(),
      include_leave: flag,
      ephemeral: roomEventFilter.optional(),
      state: roomEventFilter.optional(),
      timeline: roomEventFilter.optional(),
      account_data: roomEventFilter.optional(),
    })
    .optional(),
});

/**
 * Checks the shape of a filter (client-plane.md 7.7).
 *
 * @throws refuse.badJson that names the first violation
 */
export function checkFilter(filter: unknown): void {
  const [issue] = filterSchema.safeParse(filter).error?.issues ?? [];
  if (issue) throw refuse.badJson(`'${issue.path.join('.')}' of the filter: ${issue.message}`);
}
