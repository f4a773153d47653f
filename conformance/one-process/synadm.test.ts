import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Actor, path, requireTool, startLineProgram } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownChapter } from '../chapter.ts';
import { downloadStatus, uploadFile, uriOf } from '../media-files.ts';
import { refusal } from '../refusal.ts';

const V3 = '/_proto/client/v3';

/** The timeout of a program, in milliseconds. */
const COMMAND_MS = 60_000;

const run = promisify(execFile);
const synadm = requireTool('synadm');
const PYTHON = join(dirname(synadm.command ?? ''), 'python');

/** The configuration of the program with the token of an administrator. */
const CONFIGURATION = 'config.yaml';

/** Prints each command of the program with the long forms of each of its options, or nothing for one without. */
const LIST_COMMANDS = `
import click
from synadm.cli import root
import synadm.cli
def walk(command, words):
    if isinstance(command, click.Group):
        for name in command.list_commands(None):
            walk(command.get_command(None, name), words + [name])
        return
    options = [[form for form in p.opts if form.startswith('--')] for p in command.params]
    negated = [[form for form in p.secondary_opts if form.startswith('--')] for p in command.params]
    for forms in [[]] + [each for each in options + negated if each]:
        print(' '.join(words), *forms)
walk(root, [])
`;

/** Runs the commands whose arguments it reads, a JSON array per line, in one interpreter: to load the program takes long. */
const RUN_COMMANDS = `
import json, sys
from click.testing import CliRunner
from synadm.cli import root
for line in sys.stdin:
    result = CliRunner().invoke(root, json.loads(line))
    print(json.dumps([result.exit_code, result.stdout, repr(result.exception)]), flush=True)
`;

/** Later than all uploads of tests, in milliseconds since the Unix epoch. */
const FAR_FUTURE_MS = 4_102_444_800_000;

describe.skipIf(synadm.command === undefined)(synadm.title, () => {
  ownChapter(
    'The command line of administrators',
    (world) => {
      let home: string;
      let alice: Actor;
      let bob: Actor;
      let program: ReturnType<typeof startProgram>;

      beforeAll(async () => {
        home = await mkdtemp(join(tmpdir(), 'steward-synadm-'));
        program = startProgram(home);
        await configure(world.admin);
        alice = await world.user('alice');
        bob = await world.user('bob');
      });
      afterAll(async () => {
        await program.close();
        await rm(home, { recursive: true, force: true });
      });

      /** Writes a configuration of the program with a user's token. */
      const configure = ({ userId: user, token }: Actor, file = CONFIGURATION) =>
        // JSON is YAML as well.
        writeFile(
          join(home, file),
          JSON.stringify({ user, token, base_url: world.running.url, format: 'minified' }),
        );
      /** The whole output of a command with a given configuration and format. */
      const runWith = (file: string, format: string, ...args: readonly string[]): Promise<string> =>
        program.run(['--no-confirm', '--config-file', join(home, file), '--output', format, ...args]);
      const runCommand = (format: string, ...args: readonly string[]) =>
        runWith(CONFIGURATION, format, ...args);
      /** The response that a command prints: its last line, which is JSON. */
      const runJson = async <Answer = Record<string, unknown>>(...args: readonly string[]): Promise<Answer> =>
        JSON.parse((await runCommand('minified', ...args)).trimEnd().split('\n').at(-1) ?? '');

      const details = async (userId: string) =>
        (await world.admin.get(path`/_service/admin/v2/users/${userId}`)).body;
      const whoAmI = async (token: string) => world.http('GET', `${V3}/account/whoami`, { token });
      const create = async (body: Record<string, unknown> = {}) =>
        (await alice.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
      const send = async (room: string, txn: string) => {
        const target = path`/_proto/client/v3/rooms/${room}/send/m.room.message/${txn}`;
        const body = { msgtype: 'm.text', body: txn };
        return (await alice.put<{ event_id: string }>(target, { body })).body.event_id;
      };
      const membersOf = async (room: string) =>
        (await world.admin.get<{ members: string[] }>(path`/_service/admin/v1/rooms/${room}/members`)).body
          .members;
      const readEvent = async (room: string, event: string) =>
        (await alice.get<{ content: object }>(path`/_proto/client/v3/rooms/${room}/event/${event}`)).body;

      it('has the equal of each command and option in stewardctl', async () => {
        const { stdout } = await run(PYTHON, ['-c', LIST_COMMANDS], { timeout: COMMAND_MS });
        const document = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');
        const documented = [...document.matchAll(/^\| `([a-z3][^`]*)` \|/gm)].map(([, call = '']) => call);
        const missing = stdout
          .trim()
          .split('\n')
          .filter((line) => {
            const words = line
              .split(' ')
              .filter((word) => !word.startsWith('--'))
              .join(' ');
            const forms = line.split(' ').filter((word) => word.startsWith('--'));
            if (forms.length === 0) return !documented.some((call) => call.replace(/ --.*/, '') === words);
            return !forms.some((form) => documented.includes(`${words} ${form}`));
          });
        expect(missing).toEqual([]);
        expect(stdout.trim().split('\n').length).toBeGreaterThan(161);
      });

      it('reads the server version', async () => {
        const { body } = await world.admin.get('/_service/admin/v1/server_version');
        expect(await runJson('version')).toEqual(body);
        expect(await runJson('raw', 'v1/server_version')).toEqual(body);
        expect(await runJson('matrix', 'raw', 'client/versions')).toHaveProperty('versions');
        expect(
          await runJson('matrix', 'raw', 'client/v3/account/whoami', '--token', bob.token),
        ).toMatchObject({
          user_id: bob.userId,
        });
      });

      it('creates, finds, changes and locks accounts', async () => {
        // The arguments contain only the localpart: the program requests the name of the server.
        const created = world.userId('created-by-command');
        await runCommand(
          'human',
          'user',
          'modify',
          'created-by-command',
          '--display-name',
          'By command',
          '--admin',
        );
        expect(await details(created)).toMatchObject({ displayname: 'By command', admin: 1 });

        const listed = await runJson<{ users: { name: string }[]; total: number }>(
          ...['user', 'list', '--name', 'created-by', '--admins', '--sort-by', 'creation_ts', '--reverse'],
        );
        expect(listed).toMatchObject({ total: 1, users: [{ name: created, displayname: 'By command' }] });
        expect(await runCommand('human', 'user', 'list', '--limit', '1')).toContain('--from 1');
        expect(await runCommand('human', 'user', 'search', 'CREATED-BY')).toContain(created);
        expect(await runJson('user', 'details', created)).toMatchObject({ name: created, admin: true });

        await runJson(
          ...['user', 'modify', created, '--threepid', 'email', 'by@command.example', '--no-admin'],
        );
        await runJson(
          'user',
          'modify',
          created,
          '--user-type',
          'bot',
          '--avatar-url',
          uriOf(world, 'avatar'),
        );
        expect(await details(created)).toMatchObject({
          admin: 0,
          user_type: 'bot',
          avatar_url: uriOf(world, 'avatar'),
          threepids: [{ medium: 'email', address: 'by@command.example' }],
        });
        expect(await runJson('user', '3pid', '--medium', 'email', 'by@command.example')).toEqual({
          user_id: created,
        });
        await world.admin.put(path`/_service/admin/v2/users/${created}`, {
          body: { external_ids: [{ auth_provider: 'oidc', external_id: 'one' }] },
        });
        expect(await runJson('user', 'auth-provider', '--provider', 'oidc', 'one')).toEqual({
          user_id: created,
        });
        await runJson('user', 'modify', created, '--clear-threepids', '--user-type', 'regular');
        expect(await details(created)).toMatchObject({ threepids: [], user_type: null });

        await runJson('user', 'modify', bob.userId, '--lock');
        expect(await whoAmI(bob.token)).toMatchObject(refusal(401, 'M_USER_LOCKED'));
        expect(await runJson('user', 'list', '--locked', '--name', bob.localpart)).toMatchObject({
          total: 1,
        });
        await runJson('user', 'modify', bob.userId, '--unlock');
        expect(await whoAmI(bob.token)).toMatchObject({ status: 200 });
      });

      it('sets passwords, logs in, and ends sessions', async () => {
        const someone = await world.user('someone');
        const kept = await runCommand(
          ...['human', 'user', 'password', someone.userId, '-n', '-p', 'a new one'],
        );
        expect(kept).toContain('successfully');
        expect(await whoAmI(someone.token)).toMatchObject({ status: 200 });
        const { access_token, device_id } = await runJson<{ access_token: string; device_id: string }>(
          ...['matrix', 'login', someone.userId, '-p', 'a new one'],
        );
        expect(await whoAmI(access_token)).toMatchObject({ body: { device_id } });
        expect(await runJson('user', 'whois', someone.userId)).toMatchObject({ user_id: someone.userId });

        const session = await runJson<{ access_token: string }>('user', 'login', someone.userId);
        expect(await whoAmI(session.access_token)).toMatchObject({ body: { user_id: someone.userId } });

        const pruned = ['user', 'prune-devices', someone.userId, '-d', '0', '-s', '0', '-i', device_id];
        expect(await runCommand('human', ...pruned, '--list-only')).toContain(device_id);
        expect(await whoAmI(access_token)).toMatchObject({ status: 200 });
        expect(await runCommand('human', ...pruned)).toContain('successfully deleted');
        expect(await whoAmI(access_token)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
        await runJson('user', 'password', someone.userId, '-p', 'another one');
        expect(await whoAmI(someone.token)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
      });

      it('suspends, shadow-bans, redacts and deactivates', async () => {
        const room = await create({ preset: 'public_chat', room_alias_name: 'from-the-command-line' });
        const alias = `#from-the-command-line:${world.serverName}`;
        const messageId = await send(room, 'to-be-redacted');
        expect(await runJson('user', 'membership', alice.userId)).toEqual({
          joined_rooms: [alias],
          total: 1,
        });
        expect(await runJson('user', 'membership', alice.userId, '--ids')).toEqual({
          joined_rooms: [room],
          total: 1,
        });

        await runJson('user', 'suspend', alice.userId);
        expect(await runJson('user', 'details', alice.userId)).toMatchObject({ suspended: true });
        await runJson('user', 'suspend', '--unsuspend', alice.userId);
        expect(await runJson('user', 'details', alice.userId)).toMatchObject({ suspended: false });

        expect(await runJson('user', 'shadow-ban', alice.userId)).toEqual({});
        expect(await details(alice.userId)).toMatchObject({ shadow_banned: 1 });
        expect(await runCommand('human', 'user', 'shadow-ban', '--unban', alice.userId)).toContain(
          'Successfully',
        );
        expect(await details(alice.userId)).toMatchObject({ shadow_banned: 0 });

        const { redact_id } = await runJson<{ redact_id: string }>(
          ...['user', 'redact', alice.userId, '--room', room, '--reason', 'Enough', '--limit', '10'],
        );
        await world.whenIdle();
        await expect
          .poll(() => runJson('user', 'redact-status', redact_id), { timeout: COMMAND_MS })
          .toMatchObject({ status: 'complete', failed_redactions: {} });
        expect(await readEvent(room, messageId)).toMatchObject({ content: {} });

        const gone = await world.user('gone');
        await gone.post(path`/_proto/client/v3/rooms/${room}/join`, { body: {} });
        expect(await runCommand('human', 'user', 'deactivate', gone.userId, '--gdpr-erase')).toContain(
          'successfully gdpr-erased',
        );
        await world.whenIdle();
        expect(await details(gone.userId)).toMatchObject({ deactivated: 1, erased: true });
        expect(await whoAmI(gone.token)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
        await expect.poll(() => membersOf(room)).toEqual([alice.userId]);
        await runJson('user', 'modify', gone.userId, '--activate', '--password', 'back again');
        expect(await details(gone.userId)).toMatchObject({ deactivated: 0 });
      });

      it('inspects rooms, and adds users to them', async () => {
        const room = await create({ name: 'Looked into', preset: 'public_chat', room_alias_name: 'looked' });
        const alias = `#looked:${world.serverName}`;
        expect(await runJson('room', 'list', '--name', 'looked into', '--sort', 'name')).toMatchObject({
          total_rooms: 1,
          rooms: [{ room_id: room, creator: alice.userId }],
        });
        expect(await runCommand('human', 'room', 'search', 'looked into')).toContain(room);
        expect(await runJson('room', 'list', '--empty')).toMatchObject({ total_rooms: 0 });
        expect(await runJson('room', 'details', room)).toMatchObject({
          name: 'Looked into',
          joined_members: 1,
        });
        expect(await runJson('room', 'resolve', alias)).toBe(room);
        expect(await runJson('room', 'resolve', '--reverse', room)).toEqual({ aliases: [alias] });
        const { state } = await runJson<{ state: { type: string }[] }>('room', 'state', room);
        expect(state.map(({ type }) => type)).toContain('m.room.power_levels');
        expect(await runJson('room', 'power-levels', '--room-id', room)).toMatchObject({
          rooms: [{ room_id: room, power_levels: { [alice.userId]: 100 } }],
          rooms_w_power_levels_curr_batch: 1,
        });

        // The administrator who admits a user must be a member.
        await world.admin.post(path`/_proto/client/v3/rooms/${room}/join`, { body: {} });
        expect(await runJson('room', 'join', alias, bob.userId)).toEqual({ room_id: room });
        expect(await runJson('room', 'members', room)).toEqual({
          members: expect.arrayContaining([alice.userId, bob.userId]),
          total: 3,
        });
        expect(await runJson('room', 'make-admin', room, '--user-id', bob.userId)).toEqual({});
        expect(await runJson('room', 'power-levels', '--room-id', room)).toMatchObject({
          rooms: [{ power_levels: { [bob.userId]: 100 } }],
        });

        expect(await runJson('room', 'block', room)).toEqual({ block: true });
        expect(await runJson('room', 'block-status', room)).toEqual({
          block: true,
          user_id: world.admin.userId,
        });
        expect(await runJson('room', 'block', '--unblock', room)).toEqual({ block: false });
      });

      it('purges history, and deletes rooms', async () => {
        const room = await create({ preset: 'public_chat' });
        const [first, second] = [await send(room, 'first'), await send(room, 'second')];
        const { purge_id } = await runJson<{ purge_id: string }>(
          ...['history', 'purge', room, '--before-event-id', second, '--delete-local'],
        );
        await world.whenIdle();
        await expect
          .poll(() => runJson('history', 'purge-status', purge_id), { timeout: COMMAND_MS })
          .toEqual({ status: 'complete' });
        expect(await readEvent(room, first)).toMatchObject({ errcode: 'M_NOT_FOUND' });
        expect(await readEvent(room, second)).toMatchObject({ content: { body: 'second' } });

        const { delete_id } = await runJson<{ delete_id: string }>(
          ...[
            'room',
            'delete',
            room,
            '--new-room-user-id',
            alice.userId,
            '--room-name',
            'Instead',
            '--block',
          ],
        );
        await world.whenIdle();
        await expect
          .poll(() => runJson('room', 'delete-status', '--delete-id', delete_id), { timeout: COMMAND_MS })
          .toMatchObject({ status: 'complete', shutdown_room: { kicked_users: [alice.userId] } });
        expect(await runJson('room', 'delete-status', '--room-id', room)).toMatchObject({
          results: [{ delete_id, status: 'complete' }],
        });
        expect(await runJson('room', 'block-status', room)).toMatchObject({ block: true });
        expect(await runJson('raw', path`v1/rooms/${room}`)).toMatchObject({ errcode: 'M_NOT_FOUND' });

        const other = await create();
        expect(await runJson('room', 'delete', '--v1', other)).toMatchObject({
          kicked_users: [alice.userId],
        });

        const empty = await create();
        await alice.post(path`/_proto/client/v3/rooms/${empty}/leave`, { body: {} });
        await runCommand('minified', 'room', 'purge-empty');
        await expect
          .poll(() => runJson('raw', path`v1/rooms/${empty}`), { timeout: COMMAND_MS })
          .toMatchObject({ errcode: 'M_NOT_FOUND' });
      });

      it('lists, quarantines, protects and deletes media', async () => {
        const [one, two] = [await uploadFile(bob, { name: 'one.txt' }), await uploadFile(bob)];
        const room = await create();
        await alice.put(path`/_proto/client/v3/rooms/${room}/send/m.room.message/shown`, {
          body: { msgtype: 'm.image', body: 'shown', url: uriOf(world, two) },
        });
        expect(
          await runJson('media', 'list', '--user-id', bob.userId, '--sort', 'upload_name', '--ts'),
        ).toMatchObject({
          total: 2,
          media: expect.arrayContaining([expect.objectContaining({ media_id: one })]),
        });
        expect(await runCommand('human', 'user', 'media', bob.userId)).toContain('uploaded 2 media');
        expect(await runJson('media', 'list', '--room-id', room)).toEqual({
          local: [uriOf(world, two)],
          remote: [],
        });

        expect(await runJson('media', 'quarantine', '--media-id', one)).toEqual({});
        expect(await downloadStatus(world, bob, one)).toBe(404);
        expect(await runJson('media', 'unquarantine', '--mxc-uri', uriOf(world, one))).toEqual({});
        expect(await downloadStatus(world, bob, one)).toBe(200);
        expect(await runJson('media', 'protect', one)).toEqual({});
        expect(await runJson('media', 'quarantine', '--user-id', bob.userId)).toEqual({ num_quarantined: 1 });
        expect(await downloadStatus(world, bob, one)).toBe(200);
        expect(await downloadStatus(world, bob, two)).toBe(404);
        expect(await runJson('media', 'quarantine', '--room-id', room)).toEqual({ num_quarantined: 1 });

        expect(await runJson('media', 'delete', '--media-id', one)).toEqual({
          deleted_media: [one],
          total: 1,
        });
        expect(await downloadStatus(world, bob, one)).toBe(404);
        const [small, large] = [await uploadFile(bob), await uploadFile(bob, { bytes: 'x'.repeat(2048) })];
        const byTime = ['media', 'delete', '--before-ts', String(FAR_FUTURE_MS)];
        expect(await runJson(...byTime, '--kib', '1')).toEqual({ deleted_media: [large], total: 1 });
        expect(await runJson(...byTime, '--delete-profiles')).toEqual({ deleted_media: [small], total: 1 });
        expect(await runJson('media', 'purge', '--before-ts', String(FAR_FUTURE_MS))).toEqual({ deleted: 0 });
      });

      it('sends notices', async () => {
        const noticed = await world.user('noticed');
        await runJson('notice', 'send', noticed.localpart, 'Plain', '<b>Formatted</b>');
        await runJson('notice', 'send', '--regex', `@${noticed.localpart}:.*`, 'To many');
        const { body } = await noticed.get<{ rooms: { invite?: Record<string, unknown> } }>(`${V3}/sync`);
        const [room = ''] = Object.keys(body.rooms.invite ?? {});
        const { chunk } = (
          await world.admin.get<{ chunk: { content: Record<string, unknown> }[] }>(
            path`/_service/admin/v1/rooms/${room}/messages`,
            { query: { dir: 'b', limit: 2 } },
          )
        ).body;
        expect(chunk.map(({ content }) => content)).toMatchObject([
          { body: 'To many' },
          { body: 'Plain', formatted_body: '<b>Formatted</b>' },
        ]);
      });

      it('manages registration tokens', async () => {
        const target = '/_service/admin/v1/registration_tokens/by-command';
        await runJson('regtok', 'new', '--token', 'by-command', '--uses-allowed', '3');
        expect((await world.admin.get(target)).body).toMatchObject({ uses_allowed: 3, expiry_time: null });
        expect(await runJson('regtok', 'new', '--length', '8')).toMatchObject({
          token: expect.stringMatching(/^.{8}$/),
        });
        expect(await runJson('regtok', 'details', 'by-command')).toMatchObject({ token: 'by-command' });
        await runJson('regtok', 'update', 'by-command', '-u', '-1', '--expiry-ts', String(FAR_FUTURE_MS));
        expect((await world.admin.get(target)).body).toMatchObject({
          uses_allowed: null,
          expiry_time: FAR_FUTURE_MS,
        });
        const { registration_tokens } = await runJson<{ registration_tokens: { token: string }[] }>(
          ...['regtok', 'list', '--valid'],
        );
        expect(registration_tokens.map(({ token }) => token)).toContain('by-command');
        expect(await runCommand('human', 'regtok', 'list')).toContain('by-command');
        expect(await runCommand('human', 'regtok', 'delete', 'by-command')).toContain('successfully');
        expect((await world.admin.get(target)).status).toBe(404);
      });

      it('reads everything and changes nothing with the tokens of an auditor', {
        timeout: COMMAND_MS,
      }, async () => {
        const auditor = await world.user('auditor');
        const rolesOfAuditor = path`/_service/admin/v1/users/${auditor.userId}/roles`;
        expect(await world.admin.put(rolesOfAuditor, { body: { roles: ['auditor'] } })).toMatchObject({
          status: 200,
        });
        await configure(auditor, 'auditor.yaml');
        const body = { name: 'synadm', role: 'auditor' };
        const { token } = (await world.admin.post<{ token: string }>('/_service/admin/v1/tokens', { body }))
          .body;
        await configure({ ...auditor, token }, 'automation.yaml');
        const audit = async (file: string, args: readonly string[]) =>
          JSON.parse((await runWith(file, 'minified', ...args)).trimEnd().split('\n').at(-1) ?? '');

        const room = await create({ preset: 'public_chat' });
        const media = await uploadFile(bob);
        await world.admin.post('/_service/admin/v1/registration_tokens/new', { body: { token: 'a-secret' } });
        const reads: readonly (readonly [string, ...string[]])[] = [
          [path`v2/users/${bob.userId}`, 'user', 'details', bob.userId],
          [path`v1/whois/${alice.userId}`, 'user', 'whois', alice.userId],
          [path`v1/users/${bob.userId}/media`, 'media', 'list', '--user-id', bob.userId, '--ts'],
          [path`v1/rooms/${room}`, 'room', 'details', room],
        ];
        for (const [target, ...args] of reads) {
          const { body: expected } = await world.admin.get(`/_synapse/admin/${target}`);
          for (const file of ['auditor.yaml', 'automation.yaml'])
            expect(await audit(file, args), file).toEqual(expected);
        }

        const changes: readonly (readonly string[])[] = [
          ['user', 'modify', bob.userId, '--lock'],
          ['room', 'block', room],
          ['media', 'quarantine', '--media-id', media],
          ['regtok', 'delete', 'a-secret'],
          // Secrets and content are not part of the role.
          ['regtok', 'list'],
          ['room', 'state', room],
        ];
        const before = [await details(bob.userId), await membersOf(room)];
        for (const [index, args] of changes.entries()) {
          const file = index % 2 === 0 ? 'automation.yaml' : 'auditor.yaml';
          const output = await runWith(file, 'minified', ...args);
          expect(output, args.join(' ')).not.toContain('a-secret');
          expect(output, args.join(' ')).toMatch(/This requires the scope|M_FORBIDDEN|failed|not be/);
        }
        expect([await details(bob.userId), await membersOf(room)]).toEqual(before);
        expect(await downloadStatus(world, bob, media)).toBe(200);
        expect((await world.admin.get('/_service/admin/v1/registration_tokens/a-secret')).status).toBe(200);
      });

      it('prints refusals unchanged', async () => {
        expect(await runJson('user', 'details', world.userId('nobody'))).toMatchObject({
          errcode: 'M_NOT_FOUND',
        });
        expect(await runJson('user', 'shadow-ban', '@x:elsewhere.example')).toMatchObject({
          errcode: 'M_UNKNOWN',
        });
        expect(await runJson('raw', 'v1/nothing')).toMatchObject({ errcode: 'M_UNRECOGNIZED' });
      });
    },
    { config: { notices: { enabled: true } } },
  );
});

/** The program in one interpreter, which runs one command after the other. */
function startProgram(home: string) {
  const python = startLineProgram([PYTHON, '-c', RUN_COMMANDS], { HOME: home });
  return {
    /** Runs a command, and returns its output; throws if its exit code is not 0. */
    async run(args: readonly string[]): Promise<string> {
      const [status, output, exception] = (await python.ask(args)) as [number, string, string];
      if (status !== 0) throw new Error(`Exit code ${status} of ${args.join(' ')}: ${exception}`);
      return output;
    },
    close: () => python.kill(),
  };
}
