import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';

/** The types of activity, and the scope that each requires of a caller who may see accounts; null for none. */
export const ACTIVITY_TYPES = {
  sign_in: null,
  address: null,
  membership: Scope.ROOMS_READ,
  media: Scope.MEDIA_READ,
  report_made: Scope.REPORTS_READ,
  report_received: Scope.REPORTS_READ,
  change: Scope.EVENTS_READ,
} as const satisfies Readonly<Record<string, Scope | null>>;

export type ActivityType = keyof typeof ACTIVITY_TYPES;

/**
 * All streams, with the type of their entries. A stream is one range of one index, in the order of time; cursors contain these
 * names.
 */
export const STREAMS = {
  sign_in: 'sign_in',
  address: 'address',
  membership: 'membership',
  media: 'media',
  event_report_made: 'report_made',
  gone_event_report_made: 'report_made',
  user_report_made: 'report_made',
  room_report_made: 'report_made',
  event_report_received: 'report_received',
  gone_event_report_received: 'report_received',
  user_report_received: 'report_received',
  media_report_received: 'report_received',
  change: 'change',
} as const satisfies Readonly<Record<string, ActivityType>>;

export type StreamName = keyof typeof STREAMS;
