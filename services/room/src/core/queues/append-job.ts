import type { RoomView } from '../view/room-view.ts';
import type { Job } from './room-queues.ts';

/** Decides on what is to happen in a room, and adds it; may be asked again when others were quicker. */
export type Work<R> = (view: RoomView) => Promise<R>;

/** The circumstances of a change. */
export interface AppendOptions {
  /** W3C trace context; may be empty. */
  readonly traceparent?: string;
  /** The refusal when there is no such room; 403 unless given, as for one that the caller is not in. */
  readonly missing?: () => Error;
  /**
   * Whether it follows from a fact, and no client waits for it: the consumers of what it tells are then not
   * waited for, who may have to wait for the consumer of that fact themselves.
   */
  readonly inBackground?: boolean;
}

/** Something that is to happen in a room. */
export interface AppendJob extends Job {
  readonly work: Work<unknown>;
  readonly options: AppendOptions;
  resolve(outcome: Outcome): void;
}

/** What became of a job's work. */
export interface Outcome {
  readonly value: unknown;
  /** Whether facts follow from it. */
  readonly publishes: boolean;
  /** Resolves when the members whom it has admitted were rechecked, see `recheckMembers`. */
  readonly rechecked: Promise<void> | undefined;
}
