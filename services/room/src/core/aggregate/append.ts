import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Job } from '../queues/room-queues.ts';
import type { RoomView } from '../view/room-view.ts';

/** How long an answer waits for the consumers of facts, so that a client reads its own writes. */
export const DELIVERY_WAIT_MS = 1_000;

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
  readonly told: boolean;
  /** Resolves when those whom it has let in were looked at, see `lookAtNewcomers`. */
  readonly looked: Promise<void> | undefined;
}

/**
 * Makes something happen in a room: all that `work` adds, or nothing of it when it throws. It sees the room
 * with everything that was answered before, on whichever instance, and what it adds is stored and visible
 * when this resolves.
 *
 * `work` reads only through the view and the store: everybody who wants something of the room waits for it.
 * It may be run several times, and adds at most as many events as one commit admits (`MAX_ADMITTED`).
 *
 * @returns what `work` returned
 */
export async function append<R>(
  deps: Deps,
  roomId: string,
  work: Work<R>,
  options: AppendOptions = {},
): Promise<R> {
  const { value, told, looked } = await new Promise<Outcome>((resolve, reject) => {
    deps.queues.add(roomId, { work, options, resolve, reject });
  });
  const delivered = told && !options.inBackground && deps.relay.delivered(roomId, DELIVERY_WAIT_MS);
  await Promise.all([delivered, looked]);
  return value as R;
}

/** The refusal of a job for whose room there is nothing. */
export function missing({ options }: AppendJob): Error {
  return options.missing?.() ?? refuse.forbidden('You are not in this room');
}
