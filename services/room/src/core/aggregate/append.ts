import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { AppendJob, AppendOptions, Outcome, Work } from '../queues/append-job.ts';

/** How long an answer waits for the consumers of facts, so that a client reads its own writes. */
export const DELIVERY_WAIT_MS = 1_000;

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
  const { value, publishes, rechecked } = await new Promise<Outcome>((resolve, reject) => {
    deps.queues.add(roomId, { work, options, resolve, reject });
  });
  const delivered = publishes && !options.inBackground && deps.relay.delivered(roomId, DELIVERY_WAIT_MS);
  await Promise.all([delivered, rechecked]);
  return value as R;
}

/** The refusal of a job for whose room there is nothing. */
export function missing({ options }: AppendJob): Error {
  return options.missing?.() ?? refuse.forbidden('You are not in this room');
}
