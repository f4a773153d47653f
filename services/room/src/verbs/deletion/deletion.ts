import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  DeleteRoomRequest,
  DeleteRoomResponseSchema,
} from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import type { Task } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';

/** The name of tasks that delete a room; their key is the room id. */
export const DELETE_ROOM = 'room.delete';

/** The step of a deletion from which on the room is nowhere to be seen. */
export const PURGING = 'purging';

const DEFAULT_ROOM_NAME = 'Content Violation Notification';
const DEFAULT_MESSAGE =
  'Sharing illegal content on this server is not permitted and rooms in violation will be blocked.';

/** What a deletion is asked for with. */
export interface DeletionParams {
  /** Which version of the endpoint asked: only the second one tells how far it has come. */
  readonly version: 1 | 2;
  readonly block: boolean;
  readonly purge: boolean;
  readonly force: boolean;
  /** Who creates the room into which everybody is moved; null for none. */
  readonly newRoomUser: string | null;
  readonly roomName: string;
  readonly message: string;
}

/** What is known of a deletion beside its parts. */
export interface DeletionResult {
  readonly newRoomId: string;
}

/** What came of some members, or aliases. */
export interface DeletionPart {
  readonly kicked?: readonly string[];
  readonly failed?: readonly string[];
  readonly aliases?: readonly string[];
}

/** What came of nobody and nothing. */
export const NO_OUTCOME: MessageInitShape<typeof DeleteRoomResponseSchema> = {};

/** Reads what is to be done; what is left out, or empty, is as documented (behaviour.md 10.9). */
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

/** What a task was asked for with. */
export function paramsOf({ params }: Task): DeletionParams {
  return JSON.parse(params) as DeletionParams;
}

/** What has come of a deletion so far. */
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
