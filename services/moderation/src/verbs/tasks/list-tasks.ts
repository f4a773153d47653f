import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListTasksRequest,
  ListTasksResponseSchema,
} from '@steward/proto/steward/moderation/v1/tasks_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** How many tasks a page has when the caller does not say. */
const DEFAULT_LIMIT = 100n;

/** The longest page; `next_token` says where it goes on. */
const MAX_LIMIT = 500n;

/** A page of the tasks of all services, the newest first. */
export async function listTasks(
  deps: Pick<Deps, 'tasks'>,
  { from, limit = DEFAULT_LIMIT, kind: kinds, state: states, ...conditions }: ListTasksRequest,
): Promise<MessageInitShape<typeof ListTasksResponseSchema>> {
  const size = Number(limit < MAX_LIMIT ? limit : MAX_LIMIT);
  if (size === 0) return { tasks: [] };
  const { target, requestedBy, fromTs, untilTs } = conditions;
  const found = await deps.tasks.list({
    kinds,
    states,
    ...(target === undefined ? {} : { target }),
    ...(requestedBy === undefined ? {} : { requestedBy }),
    ...(fromTs === undefined ? {} : { createdFrom: fromTs }),
    ...(untilTs === undefined ? {} : { createdUntil: untilTs }),
    ...(from === undefined ? {} : { after: placeOf(from) }),
    // One more shows whether there is another page.
    limit: size + 1,
  });
  const last = found[size - 1];
  if (found.length <= size || !last) return { tasks: [...found] };
  return { tasks: found.slice(0, size), nextToken: `${last.createdTs}-${last.id}` };
}

function placeOf(token: string): { createdTs: bigint; id: string } {
  const dash = token.indexOf('-');
  return { createdTs: BigInt(token.slice(0, dash)), id: token.slice(dash + 1) };
}
