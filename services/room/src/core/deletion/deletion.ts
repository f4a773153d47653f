import type { Task } from '@steward/tasks';

/** The name of tasks that delete a room; their key is the room id. */
export const DELETE_ROOM = 'room.delete';

/** The default name, and the default first message, of the room to which the members are moved. */
export const DEFAULT_ROOM_NAME = 'Content Violation Notification';
export const DEFAULT_MESSAGE =
  'Sharing illegal content on this server is not permitted and rooms in violation will be blocked.';

/** The parameters of a deletion. */
export interface DeletionParams {
  /** The version of the requested endpoint: only the second one reports progress. */
  readonly version: 1 | 2;
  readonly block: boolean;
  readonly purge: boolean;
  readonly force: boolean;
  /** The creator of the room to which the members are moved; null for none. */
  readonly newRoomUser: string | null;
  readonly roomName: string;
  readonly message: string;
  /** The order of the resolution of a report that asked for it; absent for a request. */
  readonly order?: string;
  /** The id of the call with a key that asked for it, see `callId`; absent for one without. */
  readonly call?: string | undefined;
}

/** Reads the parameters of a deletion from its task. */
export function paramsOf({ params }: Task): DeletionParams {
  return JSON.parse(params) as DeletionParams;
}

/** Whether a task is the deletion that a call with a key has asked for; never for a call without one. */
export function isOfCall(task: Task, call: string | undefined): boolean {
  return call !== undefined && paramsOf(task).call === call;
}
