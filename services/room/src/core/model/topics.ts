/** The topic that is notified when events arrive in a room. */
export function roomTopic(roomId: string): string {
  return `room ${roomId}`;
}

/** The topic that is notified when a user has read something in a room. */
export function readTopic(userId: string): string {
  return `read ${userId}`;
}

/** The topic that is notified when a membership of a user changes. */
export function memberTopic(userId: string): string {
  return `member ${userId}`;
}
