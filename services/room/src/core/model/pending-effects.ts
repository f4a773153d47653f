import type { PendingEffect } from '@steward/service';

/**
 * As many events as one commit of a room admits: fewer than effects may be pending, which leaves room for the rechecks
 * of those who were admitted before.
 */
export const MAX_ADMITTED = 56;

/** Makes an event that a commit has admitted visible, with all that follows from it. */
export interface AdmittedEvent extends PendingEffect {
  readonly kind: 'event';
  readonly event_id: string;
  readonly arrival: number;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
}

/** Makes the events of an import document visible, whose id is that of the effect. */
export interface AdmittedImport extends PendingEffect {
  readonly kind: 'import';
}

/** Rechecks the members whom a commit has admitted to the room: whether they are deactivated by now. */
export interface RecheckOfMembers extends PendingEffect {
  readonly kind: 'newcomers';
  /** The arrivals of the first and the last event that admitted a member. */
  readonly from: number;
  readonly to: number;
}

/** What may be pending for a room. */
export type RoomEffect = AdmittedEvent | AdmittedImport | RecheckOfMembers;
