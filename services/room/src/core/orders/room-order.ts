import type { Deps } from '../deps.ts';

/** The name of tasks that carry out an order for many targets; their key is the room, or the user of an order for many rooms. */
export const ROOM_ORDER = 'room.order';

/** What is ordered. */
export type OrderAction = 'ban' | 'invite' | 'kick' | 'redact' | 'unban';

/** For what it is ordered: for users or events of a room, or for a user in all rooms, or in a space and the rooms in it. */
export type OrderScope =
  | { readonly room: string; readonly targets: readonly string[] }
  | { readonly user: string; readonly space: string | null };

/** The parameters of the task. */
export interface RoomOrderParams {
  readonly action: OrderAction;
  readonly reason: string | null;
  readonly scope: OrderScope;
}

/** An order for many targets. */
export interface NewRoomOrder extends RoomOrderParams {
  /** The id of the task; random unless given. With one, an order that is created again is the same order. */
  readonly id?: string | undefined;
  /** As `Order.actor`. */
  readonly actor: string;
}

/**
 * Creates the task that carries out an order for many targets. Orders for the same room, or for the same user in many rooms, are
 * carried out one after the other.
 *
 * @returns the id of the task
 */
export async function createRoomOrder(
  { tasks }: Pick<Deps, 'tasks'>,
  { id, actor, ...params }: NewRoomOrder,
): Promise<string> {
  const { scope } = params;
  const key = 'room' in scope ? scope.room : scope.user;
  return tasks.createOnce({ id, kind: ROOM_ORDER, key, params, requestedBy: actor });
}

/** The outcome of a target. */
export interface OrderResult {
  readonly roomId: string;
  /** The user, or the event that was to be redacted. */
  readonly target: string;
  readonly outcome: 'done' | 'refused' | 'unchanged';
  readonly eventId?: string;
  readonly sender?: string;
  /** Why it was refused. */
  readonly errcode?: string;
  readonly error?: string;
}

/** The number of the first piece of the task's result that has results; 0 has the rooms of a space. */
export const FIRST_RESULTS = 1;

/** A piece of the task's result. */
export interface OrderResults {
  readonly number: number;
  readonly results: readonly OrderResult[];
}

/** How many targets had each outcome so far: the result of the task. */
export type OrderCounts = Readonly<Record<OrderResult['outcome'], number>>;

/** The counts before anything is done. */
export const NO_RESULTS: OrderCounts = { done: 0, unchanged: 0, refused: 0 };
