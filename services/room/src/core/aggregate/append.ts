import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { AppendJob, AppendOptions, Outcome, Work } from '../queues/append-job.ts';

/**
 * Adds the events that `work` adds to a room, or none when it throws. `work` sees every change that any instance has
 * acknowledged before, and its events are stored and visible when the promise resolves.
 *
 * `work` must read only through the view and the store, because all other changes of the room wait for it. It may run
 * several times, and may add at most `MAX_ADMITTED` events.
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
  const delivered =
    publishes && !options.inBackground && deps.relay.delivered(roomId, deps.settings.deliveryWaitMs);
  await Promise.all([delivered, rechecked]);
  return value as R;
}

/** The refusal of a job whose room does not exist. */
export function missing({ options }: AppendJob): Error {
  return options.missing?.() ?? refuse.forbidden('You are not in this room');
}
