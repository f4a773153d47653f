// Writes the rights of the services' accounts on the broker and in the database, into the directory named by the argument.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  COMMAND_CLIENT,
  commandPermissions,
  type Permissions,
  publicReaderPermissions,
  servicePermissions,
} from '../packages/events/src/mod.ts';
import type { ServiceAccess } from '../packages/service/src/mod.ts';
import { access as media } from '../services/media/src/mod.ts';
import { access as moderation } from '../services/moderation/src/mod.ts';
import { access as room } from '../services/room/src/mod.ts';
import { access as user } from '../services/user/src/mod.ts';

/** The default of `bus.namespace`. */
const NAMESPACE = 'steward';

/** The account of a program that consumes the events of the feed, see docs/feed.md. */
const READER = 'steward-reader';

/** The account of whole servers, each of which does what all services do. */
const SERVER = 'steward-server';

/** What a service does with its collections. It makes them, with their indexes, at its start. */
const OWN = ['find', 'insert', 'update', 'remove', 'createCollection', 'createIndex', 'listIndexes'];

/** The collections that all services share: the server's name, format and processes; the audit trail on its way to moderation, and the key of its fingerprints. */
const SHARED = [
  'audit.outbox',
  'audit.server_keys',
  'server.idempotency_keys',
  'server.identity',
  'server.processes',
  'server.schema',
];

/** The mark of a restore that has not been completed, and the files of GridFS. */
const RESTORE = 'server.restore';
const FILES = ['media.blobs.chunks', 'media.blobs.files'];

const SERVICES: readonly ServiceAccess[] = [user, room, media, moderation];

const [target = '.'] = process.argv.slice(2);
const clientOf = (service: string) => `steward-${service}`;

write('deploy/nats/permissions.conf', [
  '# Generated from the sources by npm run generate. The rights of the accounts of nats.conf, for the namespace steward.',
  ...SERVICES.flatMap((use) =>
    variable(clientOf(use.service), servicePermissions(NAMESPACE, clientOf(use.service), use)),
  ),
  ...variable(COMMAND_CLIENT, commandPermissions(NAMESPACE, COMMAND_CLIENT)),
]);
write('deploy/nats/whole-permissions.conf', [
  '# Generated from the sources by npm run generate. The rights of the accounts of whole.conf, for the namespace steward.',
  ...variable(SERVER, allOf(SERVICES.map((use) => servicePermissions(NAMESPACE, SERVER, use)))),
  ...variable(COMMAND_CLIENT, commandPermissions(NAMESPACE, COMMAND_CLIENT)),
]);
// A file of its own: the broker does not start with a variable that its configuration does not use.
write('deploy/nats/reader.conf', [
  '# Generated from the sources by npm run generate. The rights of a program that consumes the events of the feed, see nats.conf.',
  ...variable(READER, publicReaderPermissions(NAMESPACE, READER)),
]);

const roles = Object.fromEntries(SERVICES.map((use) => [clientOf(use.service), privilegesOf(use)]));
write('deploy/mongo/roles.json', [JSON.stringify(roles, null, 2)]);
const whole = { [SERVER]: Object.assign({}, ...SERVICES.map(privilegesOf)) };
write('deploy/mongo/whole-roles.json', [JSON.stringify(whole, null, 2)]);

/** All that some accounts may do. */
function allOf(permissions: readonly Permissions[]): Permissions {
  const all = (key: keyof Permissions) => [...new Set(permissions.flatMap((each) => each[key]))];
  return { publish: all('publish'), subscribe: all('subscribe') };
}

function variable(client: string, { publish, subscribe }: Permissions): string[] {
  const list = (subjects: readonly string[]) => subjects.map((subject) => `    "${subject}"`);
  const name = client.toUpperCase().replace('-', '_');
  return [
    '',
    `${name}: {`,
    '  publish: [',
    ...list(publish),
    '  ]',
    '  subscribe: [',
    ...list(subscribe),
    '  ]',
    '}',
  ];
}

/** The privileges of a service, by collection. */
function privilegesOf({ service, collections }: ServiceAccess): Record<string, readonly string[]> {
  const files = service === media.service ? FILES : [];
  return {
    ...Object.fromEntries([...collections, ...SHARED, ...files].map((name) => [name, OWN])),
    [RESTORE]: ['find'],
  };
}

function write(path: string, lines: readonly string[]): void {
  const file = join(target, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
}
