import type { RoomView } from '../view/room-view.ts';
import type { Job } from './room-queues.ts';

/** Decides on events and adds them to the view; called again if another commit came first. */
export type Work<R> = (view: RoomView) => Promise<R>;

/** The options of a change. */
export interface AppendOptions {
  /** W3C trace context; may be empty. */
  readonly traceparent?: string;
  /** The refusal of an unknown room; unless given, 403 as for a room that the caller is not in. */
  readonly missing?: () => Error;
  /**
   * Whether a consumer or a task makes the change, so that no client waits for it. Such a change does not wait for the
   * consumers of its facts, because these may wait for the consumer that makes the change.
   */
  readonly inBackground?: boolean;
}

/** A change of a room, with its caller. */
export interface AppendJob extends Job {
  readonly work: Work<unknown>;
  readonly options: AppendOptions;
  resolve(outcome: Outcome): void;
}

/** The outcome of a job. */
export interface Outcome {
  readonly value: unknown;
  /** Whether the job publishes facts. */
  readonly publishes: boolean;
  /** Resolves when the members whom the job has admitted were rechecked, see `recheckMembers`. */
  readonly rechecked: Promise<void> | undefined;
}
