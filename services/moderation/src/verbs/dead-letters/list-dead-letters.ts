import type { MessageInitShape } from '@bufbuild/protobuf';
import { type DeadLetter, fromDeadLetterId, toDeadLetterId } from '@steward/events';
import type {
  DeadLetterSchema,
  ListDeadLettersRequest,
  ListDeadLettersResponseSchema,
} from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orUnavailable } from './or-unavailable.ts';

/** The default number of dead letters on a page. */
const DEFAULT_LIMIT = 100n;

/** The maximum number on a page; `next_token` continues after it. */
const MAX_LIMIT = 500n;

/** Returns a page of the dead letters of the consumers of all services. */
export async function listDeadLetters(
  deps: Pick<Deps, 'deadLetters'>,
  { from, limit = DEFAULT_LIMIT }: ListDeadLettersRequest,
): Promise<MessageInitShape<typeof ListDeadLettersResponseSchema>> {
  const size = Number(limit < MAX_LIMIT ? limit : MAX_LIMIT);
  if (size === 0) return { deadLetters: [] };
  const after = from === undefined ? {} : { after: fromDeadLetterId(from) };
  // One more than the page, which shows whether another page follows.
  const found = await orUnavailable(deps.deadLetters.list({ limit: size + 1, ...after }));
  const page = found.slice(0, size).map(render);
  const last = page.at(-1);
  return { deadLetters: page, ...(found.length > size && last ? { nextToken: last.id } : {}) };
}

function render({ id, durable, event, error, deliveries, timeMs }: DeadLetter) {
  return {
    id: toDeadLetterId(id),
    consumer: durable,
    event: event.type,
    eventId: event.id,
    aggregateId: event.aggregate,
    ...(event.requester === '' ? {} : { requestedBy: event.requester }),
    eventTs: BigInt(event.timeMs),
    error,
    attempts: deliveries,
    givenUpTs: BigInt(timeMs),
  } satisfies MessageInitShape<typeof DeadLetterSchema>;
}
