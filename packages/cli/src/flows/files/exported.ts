import type { CallOptions, Client } from '@steward/sdk';

/** The lists that are exported, by the names of their files. */
export const EXPORTED: Readonly<
  Record<string, (client: Client, options: CallOptions) => AsyncIterable<unknown>>
> = {
  users: (client, options) => client.users.listByState({ guests: true, locked: true, limit: 500 }, options),
  rooms: (client, options) => client.rooms.list({ limit: 500 }, options),
  roles: (client, options) => client.roles.list({}, options),
  tokens: (client, options) => client.tokens.list({ limit: 500 }, options),
  'registration-tokens': (client, options) => client.registrationTokens.list({}, options),
  'event-reports': (client, options) => client.eventReports.list({ dir: 'f', limit: 500 }, options),
  'user-reports': (client, options) => client.userReports.list({ dir: 'f', limit: 500 }, options),
  'media-usage': (client, options) => client.statistics.listMediaUsage({ limit: 500 }, options),
  tasks: (client, options) => client.tasks.list({ limit: 500 }, options),
  events: (client, options) => client.events.list({ limit: 1_000 }, options),
  'audit-log': (client, options) => lines(client, options),
};

/** The export of the audit log, which `audit verify` reads. */
async function* lines(client: Client, options: CallOptions): AsyncGenerator<unknown> {
  const stream = await client.audit.export({}, options);
  yield* stream.lines();
}
