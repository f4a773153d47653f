import { toConnectError, toRefusal } from '@steward/errors';

/**
 * Asks another service. What it refuses is refused to the caller, without the headers of that call; when it
 * cannot be reached, the caller is told to try again later.
 */
export async function asked<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw toConnectError(toRefusal(error), error);
  }
}
