import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';

/** How often the task is read, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** How often in a row the server may not answer, because it is being restarted: about two minutes. */
const MAX_FAILURES = 120;

/** How long a request may take, in milliseconds. */
const TIMEOUT_MS = 30_000;

const begun = z.object({ task_id: z.string() });

const moveResult = z.object({
  moved: z.number(),
  bytes: z.number(),
  missing: z.number(),
  damaged: z.number(),
  media: z.array(z.string()),
});

const movingTask = z.object({
  state: z.enum(['scheduled', 'active', 'complete', 'failed', 'cancelled']),
  error: z.string().nullish(),
  progress: z.object({ done: z.number(), total: z.number().nullish() }),
  result: moveResult.nullish(),
});

/** What was moved, and what could not be. */
export type Moved = z.infer<typeof moveResult>;

/** A running server, and an administrator of it. */
export interface MoveOptions {
  /** Where the server listens. */
  readonly url: string;
  /** An access token of an administrator. */
  readonly token: string;
  /** How fast bytes are copied at most; as the server does by default if `undefined`. */
  readonly bytesPerSecond: number | undefined;
  /** Called about once a second. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Has a server move its media from the second store to the first, and waits until it has. If a move is running, waits for
 * that one. The server goes on when the caller ends, and when it is restarted itself.
 *
 * @throws Error with a message of one line when the server refuses, does not answer, or could not complete the move
 */
export async function moveMedia({ url, token, bytesPerSecond, onProgress }: MoveOptions): Promise<Moved> {
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(new URL(`/_service/admin/v1${path}`, url), {
      method,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { readonly error?: string };
    if (response.ok) return answer;
    throw new Refused(response.status, answer.error ?? `${url} answered with ${response.status}`);
  };
  const order = bytesPerSecond === undefined ? {} : { bytes_per_second: bytesPerSecond };
  const { task_id: id } = begun.parse(await request('POST', '/media/move', order));
  for (let failures = 0; ; ) {
    try {
      const task = movingTask.parse(await request('GET', `/tasks/${encodeURIComponent(id)}`));
      failures = 0;
      onProgress(task.progress.done, task.progress.total ?? 0);
      if (task.state === 'complete') return task.result ?? NOTHING;
      if (task.error) throw new Refused(0, `The move has ended: ${task.error}`);
    } catch (error) {
      const mayPass = !(error instanceof Refused) || error.status >= 500;
      if (!mayPass || error instanceof z.ZodError) throw error;
      failures++;
      if (failures > MAX_FAILURES) throw error;
    }
    await setTimeout(POLL_INTERVAL_MS);
  }
}

const NOTHING: Moved = { moved: 0, bytes: 0, missing: 0, damaged: 0, media: [] };

/** The server answered with an error. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
