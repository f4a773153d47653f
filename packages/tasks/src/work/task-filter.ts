import type { Filter } from '@steward/store';
import type { Task, TaskState } from '../model/task.ts';

/** A selection of tasks: all conditions that are given must hold. */
export interface TaskSelection {
  /** Any of these; any kind when empty. */
  readonly kinds: readonly string[];
  /** Any of these; any state when empty. */
  readonly states: readonly TaskState[];
  readonly key?: string | undefined;
  readonly requestedBy?: string | undefined;
  /** The earliest time of creation, in milliseconds since the Unix epoch. */
  readonly fromMs?: number | undefined;
  /** The latest time of creation, in milliseconds since the Unix epoch. */
  readonly untilMs?: number | undefined;
}

/** The position after a task in a list whose newest task comes first. */
export interface TaskCursor {
  readonly createdMs: number;
  readonly id: string;
}

/** The filter for a selection of the tasks that are kept at a time. */
export function filterOf(
  { kinds, states, key, requestedBy, fromMs, untilMs }: TaskSelection,
  now: number,
  after: TaskCursor | undefined,
): Filter<Task> {
  const created = {
    ...(fromMs === undefined ? {} : { $gte: fromMs }),
    ...(untilMs === undefined ? {} : { $lte: untilMs }),
  };
  return {
    $nor: [{ keep_until: { $lte: now } }],
    ...(kinds.length > 0 ? { kind: { $in: kinds } } : {}),
    ...(states.length > 0 ? { state: { $in: states } } : {}),
    ...(key === undefined ? {} : { key }),
    ...(requestedBy === undefined ? {} : { requested_by: requestedBy }),
    ...(Object.keys(created).length > 0 ? { created_ts: created } : {}),
    ...(after ? { $and: [isAfter(after)] } : {}),
  };
}

function isAfter({ createdMs, id }: TaskCursor): Filter<Task> {
  return {
    $and: [
      { created_ts: { $lte: createdMs } },
      { $or: [{ created_ts: { $lt: createdMs } }, { _id: { $lt: id } }] },
    ],
  };
}
