import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  DeleteRoomRequest,
  DeleteRoomResponseSchema,
} from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import type { Task } from '@steward/tasks';
import { DEFAULT_MESSAGE, DEFAULT_ROOM_NAME, type DeletionParams } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';

/** The result of a deletion, apart from its parts. */
export interface DeletionResult {
  /** Absent if the new room was refused. */
  readonly newRoomId?: string;
  /** What was not done of a deletion that was completed otherwise; absent for nothing. */
  readonly shortfall?: string;
}

/** A part of the outcome: that of one batch of users or aliases. */
export interface DeletionPart {
  readonly kicked?: readonly string[];
  readonly failed?: readonly string[];
  readonly aliases?: readonly string[];
}

/** The outcome of a deletion that affected neither members nor aliases. */
export const NO_OUTCOME: MessageInitShape<typeof DeleteRoomResponseSchema> = {};

/** Reads the parameters of a request; absent or empty ones get the documented defaults (behaviour.md 10.9). */
export function readDeletion(
  request: Omit<DeleteRoomRequest, '$typeName'>,
  version: DeletionParams['version'],
): DeletionParams {
  return {
    version,
    block: request.block ?? false,
    purge: request.purge ?? true,
    force: request.forcePurge ?? false,
    newRoomUser: request.newRoomUserId || null,
    roomName: request.roomName || DEFAULT_ROOM_NAME,
    message: request.message || DEFAULT_MESSAGE,
  };
}

/**
 * The outcome of a deletion so far. It names each user once, even one whom a member invited after they had been removed,
 * and whose invitation has then ended.
 */
export async function outcomeOf(
  deps: Pick<Deps, 'tasks'>,
  { _id, result }: Task,
): Promise<MessageInitShape<typeof DeleteRoomResponseSchema>> {
  const kickedUsers = new Set<string>();
  const failedToKickUsers = new Set<string>();
  const localAliases: string[] = [];
  for await (const { kicked = [], failed = [], aliases = [] } of deps.tasks.parts<DeletionPart>(_id)) {
    for (const userId of kicked) kickedUsers.add(userId);
    for (const userId of failed) failedToKickUsers.add(userId);
    localAliases.push(...aliases);
  }
  const { newRoomId } = (JSON.parse(result) ?? {}) as Partial<DeletionResult>;
  return {
    kickedUsers: [...kickedUsers],
    failedToKickUsers: [...failedToKickUsers.difference(kickedUsers)],
    localAliases,
    ...(newRoomId === undefined ? {} : { newRoomId }),
  };
}
