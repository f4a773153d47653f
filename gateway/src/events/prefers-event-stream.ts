import Negotiator from 'negotiator';

/** The type of event streams. */
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** The second is preferred only if it has a higher quality, is named more exactly, or is named first. */
const OFFERED = ['application/json', EVENT_STREAM_TYPE];

/** Whether an `Accept` header prefers an event stream to JSON. One that accepts neither receives JSON, as on all other paths. */
export function prefersEventStream(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return new Negotiator({ headers: { accept } }).mediaTypes(OFFERED)[0] === EVENT_STREAM_TYPE;
}
