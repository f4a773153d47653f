/** For tests and benches that look behind the API: where the service keeps what. */
export { aliases, blocks, events, members, rooms, states, tasks } from './core/collections.ts';
export type { EventDocument } from './core/model/event-document.ts';
export type { MemberDocument } from './core/model/member.ts';
export type { Room } from './core/model/room.ts';
export type { StateDocument } from './core/model/state-document.ts';
