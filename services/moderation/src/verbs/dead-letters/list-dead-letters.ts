import type { MessageInitShape } from '@bufbuild/protobuf';
import type { DeadLetter } from '@steward/events';
import type {
  DeadLetterSchema,
  ListDeadLettersRequest,
  ListDeadLettersResponseSchema,
} from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { fromLetterId, toLetterId } from './letter-id.ts';
import { withinReach } from './within-reach.ts';

/** How many letters a page has when the caller does not say. */
const DEFAULT_LIMIT = 100n;

/** The longest page; `next_token` says where it goes on. */
const MAX_LIMIT = 500n;

/** A page of the events that consumers of any service could not deal with. */
export async function listDeadLetters(
  deps: Pick<Deps, 'deadLetters'>,
  { from, limit = DEFAULT_LIMIT }: ListDeadLettersRequest,
): Promise<MessageInitShape<typeof ListDeadLettersResponseSchema>> {
  const size = Number(limit < MAX_LIMIT ? limit : MAX_LIMIT);
  if (size === 0) return { deadLetters: [] };
  const after = from === undefined ? {} : { after: fromLetterId(from) };
  // One more shows whether there is another page.
  const found = await withinReach(deps.deadLetters.list({ limit: size + 1, ...after }));
  const page = found.slice(0, size).map(present);
  const last = page.at(-1);
  return { deadLetters: page, ...(found.length > size && last ? { nextToken: last.id } : {}) };
}

function present({ id, durable, event, error, deliveries, timeMs }: DeadLetter) {
  return {
    id: toLetterId(id),
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
