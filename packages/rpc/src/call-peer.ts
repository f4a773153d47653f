import { toConnectError, toRefusal } from '@steward/errors';

/**
 * Calls another service. Its refusals become those of the current call, without the headers of the inner call;
 * when it cannot be reached, the refusal tells the caller to retry later.
 */
export async function callPeer<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw toConnectError(toRefusal(error), error);
  }
}
