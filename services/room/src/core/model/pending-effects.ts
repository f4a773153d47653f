import type { PendingEffect } from '@steward/service';

/**
 * The most events that one commit of a room admits; below `MAX_PENDING_EFFECTS`, so that rechecks of members admitted
 * before may still be pending.
 */
export const MAX_ADMITTED = 56;

/** Makes an event that a commit has admitted visible, and applies it to state and members. */
export interface AdmittedEvent extends PendingEffect {
  readonly kind: 'event';
  readonly event_id: string;
  readonly arrival: number;
  /** W3C trace context; may be empty. */
  readonly traceparent: string;
}

/** Stores the events of the import document that has the id of the effect. */
export interface AdmittedImport extends PendingEffect {
  readonly kind: 'import';
}

/** Rechecks whether members whom a commit has admitted are deactivated. */
export interface RecheckOfMembers extends PendingEffect {
  readonly kind: 'newcomers';
  /** The arrivals of the first and the last event that admitted a member. */
  readonly from: number;
  readonly to: number;
}

/** The effects that may be pending for a room. */
export type RoomEffect = AdmittedEvent | AdmittedImport | RecheckOfMembers;
