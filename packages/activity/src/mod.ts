/** Timelines of one user's activity: streams of each service, and how they are merged. */
export { activityRoute } from './activity-route.ts';
export { formatCursor, parseCursor, type TimelineCursor } from './cursor.ts';
export { mergeStreams } from './merge-streams.ts';
export { newestOf } from './newest-of.ts';
export { readRemotely } from './read-remotely.ts';
export { readStreams } from './read-streams.ts';
export type { ActivityPage, ActivityQuery, ActivityStream, Place, PlacedEntry } from './stream.ts';
export { ACTIVITY_TYPES, type ActivityType, STREAMS, type StreamName } from './streams.ts';
