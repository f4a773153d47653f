/** The types of the events of the feed, their payloads, and the fact with which a service makes an event. */
export { type EventType, eventMessage, eventTypeOf, eventTypes, scopeOfEvent } from './event-types.ts';
export { type FillPayload, payloadFiller } from './fill-payload.ts';
export { type Occurrence, occurrence } from './occurrence.ts';
export { type PayloadValues, writePayload } from './write-payload.ts';
