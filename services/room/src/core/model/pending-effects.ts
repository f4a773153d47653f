import type { Owed, WriteOptions } from '@steward/store';

/** How what a commit needs or owes is written: it is found and done again as long as the room names it. */
export const OWED: WriteOptions = { durable: false };

/**
 * As many events as one commit of a room admits: fewer than it may owe, which leaves room for those who came before
 * and are still to be looked at.
 */
export const MAX_ADMITTED = 56;

/** What a commit of a room owes for each event that it admitted. Doing it twice does no harm. */
export interface AdmittedEvent extends Owed {
  readonly kind: 'event';
  readonly event_id: string;
  readonly arrival: number;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
}

/** What a commit of a room owes if it let users in: a look at whether they are deactivated by now. */
export interface LookOwed extends Owed {
  readonly kind: 'newcomers';
  /** The arrivals of the first and the last event that let somebody in. */
  readonly from: number;
  readonly to: number;
}

/** Whether what a room owes is a look at newcomers, which nothing that happens in it waits for. */
export function isLook(owed: Owed): owed is LookOwed {
  return owed.kind === 'newcomers';
}
