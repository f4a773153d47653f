/** The topic that is woken when what an account keeps, or may do, or its sessions have changed. */
export function accountTopic(userId: string): string {
  return `account ${userId}`;
}
