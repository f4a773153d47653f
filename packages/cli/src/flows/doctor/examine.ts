import type { Client, GetMeResponse, StewardError } from '@steward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../../cli/cli.ts';
import { commonOptions } from '../../cli/common-options.ts';
import { EXIT } from '../../io/exit.ts';
import { write } from '../../io/io.ts';
import { isRefusal } from '../../io/refusal.ts';
import { visibleLine } from '../../output/visible.ts';
import { RELEASE } from '../../release.ts';
import { checkConnection, ONCE } from './check-connection.ts';
import { checkStatus } from './check-status.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const COLUMNS = ['status', 'check', 'detail', 'remedy'];
const MS_PER_DAY = 86_400_000;
/** A token is replaced by then. */
const TOKEN_DAYS = 14;
/** The part of a quota from which on little is left. */
const QUOTA_PART = 0.9;
const MOST_FAILED = 100;
const CHECK_WIDTH = 13;

/** Runs all checks and writes what each found. */
export async function examine(cli: Cli, command: Command): Promise<void> {
  const output = await cli.output(command);
  const { server } = await cli.connection(command);
  const client = await cli.reader(command);
  const counts = { ok: 0, warn: 0, fail: 0 };
  async function* counted() {
    for await (const finding of findings(cli, client, server)) {
      counts[finding.status] += 1;
      yield { ...finding };
    }
  }
  if (output.format === 'table' && commonOptions(command).jq === undefined) {
    for await (const finding of counted()) await write(cli.io.stdout, textOf(finding));
  } else await output.rows(counted(), COLUMNS);
  await cli.note(`${counts.ok} ok, ${counts.warn} to look at, ${counts.fail} failed.`);
  if (counts.fail > 0) cli.exitWith(EXIT.failed);
}

function textOf({ status, check, detail, remedy }: Finding): string {
  const line = `${status.padEnd('fail'.length)}  ${check.padEnd(CHECK_WIDTH)} ${visibleLine(detail).trim()}\n`;
  return remedy === null ? line : `${line}      ${' '.repeat(CHECK_WIDTH)} -> ${remedy}\n`;
}

async function* findings(cli: Cli, client: Client, server: string): AsyncGenerator<Finding> {
  const { io, signal } = cli;
  const call = { ...ONCE, signal };
  for await (const finding of checkConnection(io, client, server)) {
    yield finding;
    // Without an answer there is nothing further to look at.
    if (finding.check === 'server' && finding.status === 'fail') return;
  }
  let me: GetMeResponse;
  try {
    me = await client.me.get({}, call);
  } catch (error) {
    signal.throwIfAborted();
    const { message, status } = error as StewardError;
    const remedy = status === 401 ? `log in again: stewardctl login ${server}` : 'see the log of the server';
    yield fail('token', message, remedy);
    return;
  }
  yield checkToken(me, io.time());
  yield* attempted(cli, 'status', async function* () {
    yield* checkStatus(await client.server.getStatus({}, call), RELEASE);
  });
  yield* attempted(cli, 'failed tasks', async function* () {
    const { tasks } = await client.tasks.list({ state: ['failed'], limit: MOST_FAILED }, call);
    const count = tasks.length < MOST_FAILED ? `${tasks.length}` : `${tasks.length} or more`;
    if (tasks.length === 0) yield ok('failed tasks', 'none within a day');
    else
      yield warn(
        'failed tasks',
        `${count} within a day`,
        'stewardctl tasks list --state failed; the error says why',
      );
  });
  yield* attempted(cli, 'feed', async function* () {
    const { latest } = await client.events.list({ limit: 0 }, call);
    yield ok('feed', `at position ${latest}`);
    yield await checkStream(client, latest, call);
  });
  yield* attempted(cli, 'audit log', async function* () {
    const { checkpoints } = await client.audit.listCheckpoints({ limit: 1 }, call);
    const [last] = checkpoints;
    if (last === undefined) yield ok('audit log', 'has no checkpoint yet');
    else if (last.key_id === null)
      yield warn(
        'audit log',
        `its checkpoint at ${last.number} is not signed`,
        'set audit.signing_key_file; see docs/audit-log.md#checkpoints',
      );
    else yield ok('audit log', `signed up to ${last.number}; stewardctl audit verify verifies it`);
  });
  if (me.user_id.startsWith('@'))
    yield* attempted(cli, 'quotas', async function* () {
      const { quotas } = await client.users.getQuotas({ user_id: me.user_id }, call);
      const full = Object.entries(quotas).filter(
        ([, { used, quota }]) => quota >= 0 && used > 0 && used >= quota * QUOTA_PART,
      );
      for (const [name, { used, quota }] of full)
        yield warn(
          'quotas',
          `${name} of ${me.user_id}: ${used} of ${quota}`,
          `stewardctl users set-quotas ${me.user_id}; for all: quotas in docs/config.md`,
        );
      if (full.length === 0) yield ok('quotas', `${me.user_id} is below all of them`);
    });
}

function checkToken(
  { user_id: user, token_kind: kind, scopes, expires_ts: expires, name, ...me }: GetMeResponse,
  now: number,
): Finding {
  const who = `${name ?? user}, ${kind.replaceAll('_', ' ')}, ${scopes.length} scopes`;
  if (me.withheld_reason === 'suspended')
    return fail(
      'token',
      `${who}: the account is suspended`,
      'let another administrator lift the suspension: stewardctl users suspend <user> --no-suspend',
    );
  if (me.withheld_scopes !== undefined)
    return warn(
      'token',
      `${who}; ${me.withheld_scopes.length} more of the account are withheld, because a caller without them set its password`,
      'let an administrator who has them set a new password, then log in again; see docs/sessions.md',
    );
  if (scopes.length === 0)
    return fail(
      'token',
      `${who}: it permits no administrative request`,
      'give the account a role, or log in with an automation token; see docs/access.md',
    );
  if (expires === undefined) return ok('token', who);
  const days = Math.floor((expires - now) / MS_PER_DAY);
  const detail = `${who}, expires in ${days} days`;
  return days < TOKEN_DAYS
    ? warn('token', detail, 'stewardctl tokens rotate <id>, then log in with the new one')
    : ok('token', detail);
}

/** Whether events are streamed: a proxy may hold them back, or cut them off. */
async function checkStream(client: Client, after: number, call: typeof ONCE): Promise<Finding> {
  const request = {
    path: '/_service/admin/v1/events',
    query: { after },
    headers: { accept: 'text/event-stream' },
  };
  const response = await client.request(request, call);
  await response.body?.cancel();
  const type = response.headers.get('content-type') ?? 'nothing';
  return type.startsWith('text/event-stream')
    ? ok('stream', 'events are streamed')
    : warn(
        'stream',
        `the feed answers with ${type} where a stream was asked for`,
        'update the server; does a proxy drop the header Accept?',
      );
}

/** Runs a check. What the caller may not see, or the server does not have, is not a failure of the server. */
async function* attempted(
  cli: Cli,
  check: string,
  run: () => AsyncGenerator<Finding>,
): AsyncGenerator<Finding> {
  try {
    yield* run();
  } catch (error) {
    cli.signal.throwIfAborted();
    if (!isRefusal(error)) throw error;
    const { message, status } = error;
    if (status === 403) yield warn(check, message, 'use a token with that scope to check this, too');
    else if (status === 404) yield warn(check, 'the server does not have this', 'update the server');
    else yield fail(check, message, 'see the log of the server, and docs/observability.md');
  }
}
