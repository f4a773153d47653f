/** The topic that is notified when the data, the rights or the sessions of an account have changed. */
export function accountTopic(userId: string): string {
  return `account ${userId}`;
}
