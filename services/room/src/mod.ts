/** The room service: rooms, what happens in them, and who is in which. */
export { type RoomService, type RoomServiceOptions, startRoomService } from './service.ts';
