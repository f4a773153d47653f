/** For tests and benches that inspect the stored documents: the collections of the service. */

export { tasks } from './core/collections.ts';
export type { Block } from './core/model/block.ts';
export { blocks } from './core/model/block.ts';
export type { EventDocument } from './core/model/event-document.ts';
export { events } from './core/model/event-document.ts';
export type { MemberDocument } from './core/model/member.ts';
export { members } from './core/model/member.ts';
export type { Room } from './core/model/room.ts';
export { newRoom, rooms } from './core/model/room.ts';
export { facetOf } from './core/model/room-facet.ts';
export type { StateDocument } from './core/model/state-document.ts';
export { states } from './core/model/state-document.ts';
