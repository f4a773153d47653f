import type { RoomView } from '../view/room-view.ts';
import type { Job } from './room-queues.ts';

/** Decides on events and adds them to the view; called again when another commit was quicker. */
export type Work<R> = (view: RoomView) => Promise<R>;

/** The circumstances of a change. */
export interface AppendOptions {
  /** W3C trace context; may be empty. */
  readonly traceparent?: string;
  /** The refusal when there is no such room; 403 unless given, as for one that the caller is not in. */
  readonly missing?: () => Error;
  /**
   * Whether it follows from a fact, and no client waits for it. The consumers of its own facts are then not waited for:
   * they may themselves be waiting for the consumer of that fact.
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
  /** Whether facts follow from it. */
  readonly publishes: boolean;
  /** Resolves when the members whom it has admitted were rechecked, see `recheckMembers`. */
  readonly rechecked: Promise<void> | undefined;
}
