/** The room service: rooms, their events and their members. */
export { access } from './access.ts';
export { collections as roomCollections } from './core/collections.ts';
export { type Alias, aliases } from './core/model/alias.ts';
export { type EventDocument, events } from './core/model/event-document.ts';
export { type MemberDocument, memberId, members } from './core/model/member.ts';
export { type Room, rooms } from './core/model/room.ts';
export { furtherOfRoom, storedOfEvent } from './core/records/further-fields.ts';
export { recordKindsAfterEvents, recordKindsBeforeRooms } from './core/records/record-kinds.ts';
export { exportedEvent, exportedMember, exportedRoom } from './export/exported-room.ts';
export { type RoomService, type RoomServiceOptions, startRoomService } from './service.ts';
