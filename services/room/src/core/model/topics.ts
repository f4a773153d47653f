/** The topic that is woken when something happened in a room. */
export function roomTopic(roomId: string): string {
  return `room ${roomId}`;
}

/** The topic that is woken when what a user is in some room changed. */
export function memberTopic(userId: string): string {
  return `member ${userId}`;
}
