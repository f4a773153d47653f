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
  readonly newRoomId: string;
}

/** A part of the outcome: that of one batch of members or aliases. */
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

/** The outcome of a deletion so far. */
export async function outcomeOf(
  deps: Pick<Deps, 'tasks'>,
  { _id, result }: Task,
): Promise<MessageInitShape<typeof DeleteRoomResponseSchema>> {
  const kickedUsers: string[] = [];
  const failedToKickUsers: string[] = [];
  const localAliases: string[] = [];
  for await (const { kicked = [], failed = [], aliases = [] } of deps.tasks.parts<DeletionPart>(_id)) {
    kickedUsers.push(...kicked);
    failedToKickUsers.push(...failed);
    localAliases.push(...aliases);
  }
  const { newRoomId } = (JSON.parse(result) ?? {}) as Partial<DeletionResult>;
  return {
    kickedUsers,
    failedToKickUsers,
    localAliases,
    ...(newRoomId === undefined ? {} : { newRoomId }),
  };
}
