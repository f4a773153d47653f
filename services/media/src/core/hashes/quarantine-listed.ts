import type { Deps } from '../deps.ts';

/** The name of tasks that quarantine existing media of listed content; their key is that of the request which listed it. */
export const QUARANTINE_LISTED = 'media.quarantine_listed';

/** Starts the task that quarantines existing media of the hashes that a request has listed; returns its id. */
export function quarantineListed(
  { tasks }: Pick<Deps, 'tasks'>,
  appliedBy: string,
  requestedBy: string,
): Promise<string> {
  return tasks.createOnce({
    id: appliedBy,
    kind: QUARANTINE_LISTED,
    key: appliedBy,
    params: null,
    requestedBy,
  });
}
