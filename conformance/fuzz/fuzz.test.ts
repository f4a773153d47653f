import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Actor, isDue, path, requireTool, World } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadFile } from '../media-files.ts';
import { oneProcess } from '../one-process.ts';

/** Random requests for each endpoint, besides those from the examples of its description. */
const CASES = Number(process.env.STEWARD_FUZZ_CASES ?? 2);

/** Determines the requests, except for the ids in them. */
const SEED = process.env.STEWARD_FUZZ_SEED ?? '1';

/** The timeout, in milliseconds: a constant plus a share for each case. */
const LIMIT_MS = 480_000 + CASES * 30_000;

/** The timeout of a request, in seconds: the machine may be busy. */
const ANSWER_LIMIT_S = 120;

/** The longest output of the fuzzer that is read, in bytes. */
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

/** The number of objects of each kind: many requests delete them. */
const OBJECTS = 20;

const ADMIN = '/_service/admin';
const V3 = '/_proto/client/v3';

const run = promisify(execFile);
const fuzzer = requireTool('schemathesis');
const DOCUMENT = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const PROTOS = fileURLToPath(new URL('../../proto/', import.meta.url));
const HOOKS = fileURLToPath(new URL('.', import.meta.url));

/** Ids that exist, by the name of the parameter or field they go into. */
type Pool = Record<string, string[]>;

describe.skipIf(fuzzer.command === undefined)(
  `Requests generated from the OpenAPI document: ${fuzzer.title}`,
  () => {
    const world = new World(oneProcess, { config: { notices: { enabled: true } } });
    let directory: string;
    beforeAll(async () => {
      await world.start();
      directory = await mkdtemp(join(tmpdir(), 'steward-fuzz-'));
    });
    afterAll(async () => {
      await world.close();
      await rm(directory, { recursive: true, force: true });
    });

    it('requests are answered as documented, whatever they contain', { timeout: LIMIT_MS }, async () => {
      const expendable = await world.user('expendable', { admin: true });
      const pool = await fill(world, world.admin);
      const { stdout } = await run(
        fuzzer.command ?? '',
        [
          ...['--config-file', join(HOOKS, 'schemathesis.toml'), 'run', DOCUMENT, '--url', world.running.url],
          ...['--header', `Authorization: Bearer ${world.admin.token}`],
          ...['--phases', 'examples,coverage,fuzzing', '--max-examples', String(CASES), '--seed', SEED],
          ...['--checks', 'not_a_server_error,status_code_conformance,content_type_conformance'],
          ...['--checks', 'response_schema_conformance'],
          ...['--include-operation-id-regex', `^(?:${(await dueOperations()).join('|')})$`],
          ...['--generation-with-security-parameters', 'false', '--generation-database', 'none'],
          ...['--suppress-health-check', 'all', '--continue-on-failure', '--no-shrink', '--no-color'],
          ...['--warnings', 'off', '--request-timeout', String(ANSWER_LIMIT_S)],
        ],
        {
          cwd: directory,
          maxBuffer: OUTPUT_LIMIT_BYTES,
          env: {
            HOME: directory,
            PYTHONPATH: HOOKS,
            PYTHONDONTWRITEBYTECODE: '1',
            SCHEMATHESIS_HOOKS: 'hooks',
            FUZZ_POOL: JSON.stringify(pool),
            FUZZ_OWN_USER_ID: world.admin.userId,
            FUZZ_EXPENDABLE_TOKEN: expendable.token,
          },
        },
      ).catch((error: { stdout?: string; message: string }) => {
        const failures = error.stdout?.split(/=+ FAILURES =+|=+ ERRORS =+/).at(1);
        throw new Error(
          `STEWARD_FUZZ_SEED=${SEED} STEWARD_FUZZ_CASES=${CASES}\n${failures ?? error.message}`,
        );
      });
      console.log(
        `STEWARD_FUZZ_SEED=${SEED} STEWARD_FUZZ_CASES=${CASES}: ${/\d+ generated/.exec(stdout)?.[0]}`,
      );
      // Requests that end sessions do not use the session of the fuzzer.
      expect((await world.admin.get(`${ADMIN}/v2/users?limit=1`)).status).toBe(200);
    });
  },
);

/** The ids of the operations to send requests to. Other paths of the same method execute the same code. */
async function dueOperations(): Promise<readonly string[]> {
  const files = (await readdir(PROTOS, { recursive: true })).filter((file) => file.endsWith('.proto'));
  const fileOf = new Map<string, string>();
  for (const file of files) {
    const source = await readFile(join(PROTOS, file), 'utf8');
    for (const [, service = ''] of source.matchAll(/^service (\w+)/gm)) fileOf.set(service, `proto/${file}`);
  }
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.values(paths)
    .flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []))
    .filter((id) => !/_\d+$/.test(id))
    .filter((id) =>
      isDue(`requests of ${id}`, ['conformance/fuzz/', fileOf.get(id.split('_')[0] ?? '') ?? '']),
    );
}

/** Creates the objects that requests refer to. */
async function fill(world: World, admin: Actor): Promise<Pool> {
  const pool: Pool = { user_id: [], room_id: [], alias: [], event_id: [], media_id: [] };
  const add = (name: string, id: string | undefined) => pool[name]?.push(id ?? '');
  for (let n = 0; n < OBJECTS; n++) {
    const user = await world.account('fuzzed');
    add('user_id', user);
    await admin.post(path`/_service/admin/v2/users/${user}/devices`, { body: { device_id: 'FUZZED' } });
    await admin.post(`${V3}${path`/users/${user}`}/report`, { body: { reason: 'made up' } });
    const { body } = await admin.post<{ room_id: string }>(`${V3}/createRoom`, {
      body: { preset: 'public_chat', name: 'Fuzzed', room_alias_name: `fuzzed-${n}` },
    });
    add('room_id', body.room_id);
    add('alias', `#fuzzed-${n}:${world.serverName}`);
    const room = `${V3}${path`/rooms/${body.room_id}`}`;
    const sent = await admin.put<{ event_id: string }>(`${room}/send/m.room.message/1`, {
      body: { msgtype: 'm.text', body: 'Fuzzed' },
    });
    add('event_id', sent.body.event_id);
    await admin.post(`${room}${path`/report/${sent.body.event_id}`}`, { body: { reason: 'made up' } });
    add('media_id', await uploadFile(admin));
  }
  await admin.post(`${ADMIN}/v1/registration_tokens/new`, { body: { token: 'fuzzed' } });
  return {
    ...pool,
    room_id_or_alias: [...(pool.room_id ?? []), ...(pool.alias ?? [])],
    device_id: ['FUZZED', admin.deviceId],
    server_name: [world.serverName],
    destination: [world.serverName],
    token: ['fuzzed'],
    report_id: ['1', '2', '3'],
    filter_id: ['0', '1'],
    version: ['1', '6', '10', '11', '12'],
    path_version: ['1'],
    event_type: ['m.room.message', 'm.room.name', 'm.room.member', 'm.room.power_levels'],
    state_key: ['', ...(pool.user_id ?? [])],
    type: ['m.direct', 'm.push_rules', 'made.up'],
    kind: ['override', 'underride', 'room', 'sender', 'content'],
    rule_id: ['.m.rule.master', 'made.up'],
    medium: ['email', 'msisdn'],
    receipt_type: ['m.read'],
    tag: ['m.favourite'],
    txn_id: ['1', '2'],
  };
}
