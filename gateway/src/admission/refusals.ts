import { limitExceeded, refuse } from '@steward/errors';
import { markLogged } from '@steward/rpc';
import type { Counter, Labels, Meters } from '@steward/telemetry';

/** When a refused caller may try again, in milliseconds. */
const RETRY_MS = 1_000;

/** What was exhausted, or what a client did too slowly. */
export type Reason = Refused['reason'];

type Refused = Labels<'steward_admission_refusals_total'>;

/** Creates the refusals of the admission, and counts them. */
export class Refusals {
  readonly #counter: Counter<Refused>;

  constructor(meters: Pick<Meters, 'counter'>) {
    this.#counter = meters.counter('steward_admission_refusals_total');
  }

  /** The caller has used all that one caller may use. */
  ofCaller(reason: Reason): Error {
    this.count(reason);
    return limitExceeded(RETRY_MS);
  }

  /** All callers together have used the server up. */
  ofServer(reason: Reason): Error {
    this.count(reason);
    // The counter reports it: under an attack there are thousands in a second.
    return markLogged(refuse.unavailable('The server is busy; try again later'));
  }

  /** The client sends its body too slowly. */
  ofSlowBody(): Error {
    this.count('slow_body');
    return refuse.tooSlow('The body arrives too slowly');
  }

  /** Counts a closed connection, which has no answer. */
  count(reason: Reason): void {
    this.#counter.add({ reason });
  }
}
