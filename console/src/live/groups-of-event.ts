import type { StewardEvent } from '@steward/sdk';
import type { Group } from '../api/refresh-after.ts';

/** Which answers of the API an event changes, by the first part of its type. */
const GROUPS: Readonly<Record<string, readonly Group[]>> = {
  account: ['users', 'devices'],
  device: ['devices', 'users'],
  admin_session: ['sessions', 'users'],
  passkey: ['passkeys', 'users'],
  second_factor: ['secondFactor', 'users'],
  room: ['rooms'],
  media: ['media', 'mediaHashes', 'users'],
  event_report: ['reports', 'eventReports'],
  room_report: ['reports'],
  user_report: ['reports', 'userReports'],
  report: ['reports'],
  task: ['tasks'],
  role: ['roles'],
  group: ['groups', 'users'],
  automation_token: ['tokens'],
  registration_token: ['registrationTokens'],
  webhook: ['webhooks'],
  dead_letter: ['deadLetters'],
  federation: ['federation'],
  background_updates: ['backgroundUpdates'],
  background_job: ['backgroundUpdates'],
  request: ['users', 'rooms', 'media', 'reports'],
};

/** Each event has its entry in the audit log. */
const ALWAYS: readonly Group[] = ['audit', 'events'];

/** Returns the groups of operations whose answers an event may have changed. */
export function groupsOfEvent({ type }: StewardEvent): readonly Group[] {
  return [...(GROUPS[type.split('.')[0] ?? ''] ?? []), ...ALWAYS];
}
