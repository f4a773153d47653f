import { declareFact } from '@steward/events';
import { RoomPurgedSchema } from '@steward/proto/steward/event/v1/room_pb.ts';

/** A room was removed with everything that was kept of it. */
export const roomPurged = declareFact('room.purged', RoomPurgedSchema);
