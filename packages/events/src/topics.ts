/** The topic that is notified when the data, the rights or the sessions of an account have changed. */
export function accountTopic(userId: string): string {
  return `account ${userId}`;
}

/** The topic that is notified when pushers were set or removed. */
export const PUSHERS_TOPIC = 'pushers';
