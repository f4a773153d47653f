import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type { MoveMediaRequest } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { callId, requester } from '@steward/rpc';
import { isOpen } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';

/** The name of tasks that move media from the second store to the first; they have one key, so that one runs at a time. */
export const MOVE_MEDIA = 'media.move';

/** The parameters of a move. */
export interface MoveParams {
  /** The stores of the instance that began it, as `SecondStore.route` has them. */
  readonly route: string;
  readonly bytesPerSecond: number;
}

/** How fast bytes are copied unless a request says otherwise: a fraction of what a disk or a network can do. */
const DEFAULT_BYTES_PER_SECOND = 50_000_000n;

/** Begins to move media from the second store of the settings to the first; while a move runs, returns that one. */
export async function moveMedia(
  { tasks, settings }: Pick<Deps, 'tasks' | 'settings'>,
  { bytesPerSecond = DEFAULT_BYTES_PER_SECOND }: MoveMediaRequest,
  context: HandlerContext,
): Promise<{ taskId: string }> {
  const { moveRoute: route } = settings;
  if (route === undefined) throw refuse.unknown('The settings name no second store (media.second_store)');
  const open = (await tasks.list(MOVE_MEDIA, MOVE_MEDIA)).find(
    (task) => isOpen(task) && task.cancel === undefined,
  );
  if (open) return { taskId: open._id };
  const params: MoveParams = { route, bytesPerSecond: clampToSafe(bytesPerSecond) };
  const { userId: requestedBy } = requester(context);
  return {
    taskId: await tasks.createOnce({
      id: callId(context),
      kind: MOVE_MEDIA,
      key: MOVE_MEDIA,
      params,
      requestedBy,
    }),
  };
}
