import { isMarkedSecret, newMarkedSecret, type Random } from '@steward/kernel';

/** What every automation token begins with. */
const PREFIX = 'stw_';

/** A new automation token, see `newMarkedSecret`. */
export function newAutomationToken(random: Random): string {
  return newMarkedSecret(PREFIX, random);
}

/** Whether a text has the form of an automation token, checksum included. Other tokens never do. */
export function isAutomationToken(text: string): boolean {
  return isMarkedSecret(PREFIX, text);
}
