import type { Deps } from '../deps.ts';
import type { AppendOptions, Work } from '../queues/append-job.ts';
import { append } from './append.ts';

/** Ends the work of a job whose events are not to be added. */
class NotAdded {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** Returns what `append` would return, with the same refusals: the events of the work are decided and not added. */
export async function planAppend<R>(
  deps: Deps,
  roomId: string,
  work: Work<R>,
  options: AppendOptions = {},
): Promise<R> {
  const decide: Work<never> = async (view) => {
    throw new NotAdded(await work(view));
  };
  return append(deps, roomId, decide, options).catch((error: unknown) => {
    if (error instanceof NotAdded) return error.value as R;
    throw error;
  });
}
