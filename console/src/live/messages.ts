import type { StewardEvent } from '@steward/sdk';

/** Whether events of the feed arrive. */
export type LiveState = 'connecting' | 'connected' | 'reconnecting' | 'ended';

/** What the worker says to the pages. */
export type ToPage =
  /** `changed`: the state is new, not told to a page that has just opened. */
  | { readonly kind: 'state'; readonly state: LiveState; readonly changed: boolean }
  | { readonly kind: 'event'; readonly event: StewardEvent }
  /** Events are gone that the worker has not received. */
  | { readonly kind: 'missed' };

/** What a page says to the worker: that it has a session, or that it closes. */
export type ToWorker = 'start' | 'close';
