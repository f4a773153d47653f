import { type ActivityStream, newestOf } from '@steward/activity';
import type { Deps } from '../deps.ts';
import type { Connection } from '../model/connection.ts';
import type { SignIn } from '../model/sign-in.ts';

/** What the service knows of the activity of a user. */
export function activityStreams({
  connections,
  storedSignIns,
}: Pick<Deps, 'connections' | 'storedSignIns'>): readonly ActivityStream[] {
  return [
    {
      name: 'sign_in',
      read: (page) =>
        newestOf<SignIn>(storedSignIns, page, {
          filter: { user_id: page.userId },
          time: 'ts',
          ties: 1,
          entry: ({ device_id: deviceId, address, user_agent: userAgent }) => ({
            deviceId,
            address,
            userAgent,
          }),
        }),
    },
    {
      name: 'address',
      read: (page) =>
        newestOf<Connection>(connections, page, {
          filter: { user_id: page.userId },
          time: 'last_seen',
          ties: 1,
          entry: ({ ip: address, user_agent: userAgent, acting_as: actingAs }) => ({
            address,
            userAgent,
            ...(actingAs === undefined ? {} : { actingAs }),
          }),
        }),
    },
  ];
}
