import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListTasksRequest,
  ListTasksResponseSchema,
} from '@steward/proto/steward/moderation/v1/tasks_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** The default number of tasks on a page. */
const DEFAULT_LIMIT = 100n;

/** The maximum number of tasks on a page; `next_token` continues after it. */
const MAX_LIMIT = 500n;

/** Returns a page of the tasks of all services, the newest first. */
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
    // One more than the page, which shows whether another page follows.
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
