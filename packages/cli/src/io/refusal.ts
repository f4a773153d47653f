import type { StewardError } from '@steward/sdk';

const NOT_FOUND_STATUS = 404;

/** Whether an error is one of the client library. By its name: what only looks at errors does not load the library. */
export function isRefusal(error: unknown): error is StewardError {
  return error instanceof Error && error.name === 'StewardError';
}

/** Waits for what is read; undefined when the server does not have it. */
export async function unlessMissing<T>(reading: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isRefusal(error) && error.status === NOT_FOUND_STATUS) return undefined;
    throw error;
  }
}
