import { loadConfig } from '@steward/config';
import { access as media } from '@steward/media';
import { access as moderation } from '@steward/moderation';
import { access as room } from '@steward/room';
import { access as user } from '@steward/user';
import { RECORD_FORMATS } from '../import/record-formats.ts';
import { IMPERSONAL, STORED_DATA, type StoredData } from './stored-data.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const UNITS = [
  [DAY_MS, 'days'],
  [HOUR_MS, 'hours'],
  [MINUTE_MS, 'minutes'],
] as const;

/** The kinds of records without an owner in their declaration of which `export --user` has those of the user. */
const SHAPED_OF_USERS: ReadonlySet<string> = new Set([
  'users',
  'devices',
  'rooms',
  'members',
  'events',
  'media',
  'reports',
]);

const INTRODUCTION = `# What is stored about people

Generated from the collections that the services declare, and from \`services/all-in-one/src/stored-data\`; a test fails if a collection is missing.
Change it there, then run \`npm run generate\`.

Each table is for one service, which alone has access to its collections. With MongoDB they have these names; the embedded store has all of
them in \`steward.db\` in the data directory. [security.md](security.md) says how both are closed, and what \`retention.*\` deletes.

- **Kept** says for how long. A setting stands with its default; [config.md](config.md) describes it.
- **Read with** has the scopes with which administrators read it; [access.md](access.md) lists their methods. Hashes, digests and private keys are
  in no answer. The user reads most of it with the client API, and members of a room read its events. Of what others read, the
  [audit log](audit-log.md#reads-of-private-content) records the private part.
- **Deactivation** says what becomes of it when the account is deactivated, at once or within a minute. An erasure is a deactivation too, and
  does more only where that is said.
- **\`--user\`** is the file of [\`export --user\`](backup-and-upgrade.md#export) that has it; \`other.ndjson\` leaves secrets out.
`;

const ELSEWHERE = `## Outside of these collections

| Where | What | Kept |
|---|---|---|
| media store: files, GridFS (\`media.blobs\`) or a bucket | the bytes of uploads and thumbnails | as \`media.media\`; bytes without a document are removed after an hour |
| \`audit.outbox\` | entries of the audit log on their way | until the moderation service has them |
| streams of facts on the broker; in one process the outboxes | what services tell each other: ids, names of profiles, entries of the audit log | until consumers have them; on the broker 30 days |
| \`bus.dead_letters\`, on the broker \`STEWARD_DEAD_LETTERS\` | facts that a consumer could not process | 90 days |
| on the broker \`STEWARD_PUBLIC\` | the events of the feed | as \`moderation.feed_events\` |
| \`server.idempotency_keys\` | answers to administrative requests with an \`Idempotency-Key\`, without secrets | 24 hours |
| \`server.*\` | name, format and processes of the server | nothing about a person |
| memory of processes | who is typing, counts of rate limits, callers by digests of their tokens | minutes; lost at a restart |
| log | address and user id of each request, as \`logging.access\` says; no content | by the operator |
| metrics, traces | no ids of users | by the operator |
| receivers of webhooks | the events that they select | by the receivers |
| push gateways | what pushers ask for: events that notify, or only their ids, with the number of unread messages | by the gateways |
| backups, exports | everything at their time | by the operator: erasures and retention do not reach them |

## Requests of people

- **What do you have about me?** \`npm run export -- --to <folder> --user <user id>\`. What others did or reported about the user is theirs, too: read
  it before you hand it over.
- **Delete my account.** \`POST /_service/admin/v1/deactivate/<user id>\` with \`{"erase": true}\`. What the tables call kept stays: redact the
  events of the user with [\`redact\`](acting-in-rooms.md#all-events-of-a-user), delete the media with an [order](media.md#orders), and delete reports that need
  not stay.
- **Correct it.** Display name, avatar and addresses with \`PUT /_service/admin/v2/users/<user id>\`; events cannot be changed, only redacted.
`;

/** The page about what is stored about people, in Markdown. */
export function storedDataReference(): string {
  const sections = [user, room, media, moderation].map(({ service, collections }) => {
    const rows = collections.flatMap((name) => {
      const data = STORED_DATA.get(name);
      return data ? [row(name, data)] : [];
    });
    const header = [
      '| Collection | About people | Kept | Read with | Deactivation | `--user` |',
      '|---|---|---|---|---|---|',
    ];
    return [`## The ${service} service`, '', ...header, ...rows, ''].join('\n');
  });
  const impersonal = [...IMPERSONAL].map(([name, content]) => `| \`${name}\` | ${content} |`).toSorted();
  return [
    INTRODUCTION,
    ...sections,
    ELSEWHERE,
    ['## Nothing about people', '', '| Collection | Content |', '|---|---|', ...impersonal, ''].join('\n'),
  ].join('\n');
}

function row(name: string, { about, kept, scopes, deactivation, other }: StoredData): string {
  const readers = scopes.map((scope) => `\`${scope}\``).join(', ') || 'no scope';
  const files = [...filesOf(name), ...(other ? ['other'] : [])].map((file) => `\`${file}.ndjson\``);
  const cells = [
    `\`${name}\``,
    about,
    kept.replaceAll(/\{([\w.]+)\}/g, (_, key: string) => setting(key)),
    readers,
    deactivation,
    files.join(', ') || 'no',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The kinds of records of which an export of one user has those of the collection. */
function filesOf(collection: string): readonly string[] {
  return RECORD_FORMATS.filter(
    ({ kind, collections, documents }) =>
      collections.includes(collection) &&
      (documents ? documents.kind.owner !== undefined : SHAPED_OF_USERS.has(kind)),
  ).map(({ kind }) => kind);
}

/** A setting with its default. */
function setting(key: string): string {
  const parts = key.split('.');
  const value = parts.reduce<unknown>(
    (tree, part) => (tree as Readonly<Record<string, unknown>> | undefined)?.[part],
    loadConfig({ env: {} }),
  );
  if (value === undefined || value === null) return `\`${key}\` (not set)`;
  const [ms, unit] = UNITS.find(([length]) => Number(value) % length === 0) ?? [SECOND_MS, 'seconds'];
  return `\`${key}\` (${Number(value) / ms} ${unit})`;
}
