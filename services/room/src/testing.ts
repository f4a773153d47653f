/** For tests and benches that look behind the API: where the service keeps what. */
export { aliases, blocks, events, members, rooms, states, tasks } from './collections.ts';
export type { MemberDocument } from './members/member.ts';
export type { Room } from './rooms/room.ts';
export type { StateDocument } from './state/state-document.ts';
export type { EventDocument } from './timeline/event-document.ts';
