import { useMemo } from 'react';
import { useMe } from '../../../session/use-session.ts';

/** What the activity of a user consists of. */
export const ACTIVITY_TYPES = [
  'sign_in',
  'address',
  'membership',
  'media',
  'report_made',
  'report_received',
  'change',
] as const;

/** A type of activity. */
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

const SCOPES: Partial<Record<ActivityType, string>> = {
  membership: 'rooms:read',
  media: 'media:read',
  report_made: 'reports:read',
  report_received: 'reports:read',
  change: 'events:read',
};

/** The types that the reader receives; the server leaves out the others. */
export function useActivityTypes(): readonly ActivityType[] {
  const { scopes } = useMe();
  return useMemo(
    () =>
      ACTIVITY_TYPES.filter((type) => {
        const scope = SCOPES[type];
        return scope === undefined || scopes.includes(scope);
      }),
    [scopes],
  );
}
