/** The room service: rooms, their events and their members. */
export { type RoomService, type RoomServiceOptions, startRoomService } from './service.ts';
