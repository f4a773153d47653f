import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';

/** Returns the result of a request to the broker; `undefined` when the stream or consumer does not exist. */
export async function find<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    const missing =
      error instanceof JetStreamApiError &&
      (error.code === JetStreamApiCodes.StreamNotFound || error.code === JetStreamApiCodes.ConsumerNotFound);
    if (missing) return undefined;
    throw error;
  }
}
