import type { Requester } from '@steward/rpc';

/** The origin of a change, which its facts carry. */
export interface Cause {
  /** A user id, or empty when the server itself acts. */
  readonly requester: string;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
}

/** The cause of a change that a caller requests. */
export function causedBy(caller: Pick<Requester, 'userId'> | undefined, traceparent: string | null): Cause {
  return { requester: caller?.userId ?? '', traceparent: traceparent ?? '' };
}
