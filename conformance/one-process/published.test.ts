import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { CHROMIUM_ARGS, requireTool } from '@steward/testing';
import { chromium as browsers } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { type InstalledPackages, installPacked } from '../published/pack.ts';

const run = promisify(execFile);
const nodes = requireTool('nodes');
const chromium = requireTool('chromium');

const PROGRAMS = fileURLToPath(new URL('../published', import.meta.url));
const STORY = ['story.mjs', 'program.mjs'];
const SDK = 'node_modules/@steward/sdk';
const CLI = 'node_modules/@steward/cli';

/** The versions of Node for which the library is made, besides the one that runs the tests. */
const SUPPORTED = /\/node-(?:20|22|24)\./;

const older = (nodes.command ?? '').split(delimiter).filter((command) => SUPPORTED.test(command));

/** Version, command and number of each Node under which the packages are tried. */
const commands = [process.execPath, ...older].map(
  (command, index) => [command.match(/node-(\d+)\./)?.[1] ?? process.version, command, index] as const,
);

/** How much a page loads for the library at most, in bytes. */
const LARGEST_GZIPPED = 15_000;

/** The programs of a README. */
const PROGRAM = /^```ts\n([\s\S]*?)^```/gm;

/** What the types accept, and what they must not. */
const TYPED_PROGRAM = `
import { createClient, type StewardError, type User } from '@steward/sdk';
const client = createClient({ baseUrl: 'https://example.org' });
const user: User = await client.users.get({ user_id: '@a:example.org' });
export const total: number = (await client.users.list()).total + user.creation_ts;
export const isUnknown = (error: StewardError) => error.errcode === 'M_NOT_FOUND' || error.errcode === 'LATER';
// @ts-expect-error a user id is required
client.users.get({});
// @ts-expect-error no such order
client.users.list({ order_by: 'size' });
// @ts-expect-error no such parameter
client.users.deactivate({ user_id: '@a:example.org', erased: true });
`;

chapter('The published packages', (world) => {
  let installed: InstalledPackages | undefined;
  let directory: string;

  beforeAll(async () => {
    installed = await installPacked('@steward/sdk', '@steward/cli');
    directory = installed.directory;
    for (const file of STORY) await copyFile(join(PROGRAMS, file), join(directory, file));
  });
  afterAll(() => installed?.[Symbol.asyncDispose]());

  const read = (path: string) => readFile(join(directory, path));
  const parameters = (prefix: string) => ({
    baseUrl: world.running.url,
    token: world.admin.token,
    prefix,
  });
  const storyOf = (prefix: string) => ({
    accounts: ['a', 'b', 'c'].map((name) => [`${prefix}${name}`, 'Ünï 😀']),
    task: ['room.delete', 'complete'],
    refusal: [true, 404, 'M_NOT_FOUND', true],
    reasons: expect.arrayContaining(['Prüfung 100 %']),
    kinds: expect.arrayContaining(['header', 'entry', 'end']),
    first: 'me.get null',
  });

  describe('the client library', () => {
    it('the client library is small, depends on nothing, and has the version of the server', async () => {
      const manifest = JSON.parse(String(await read(`${SDK}/package.json`)));
      const { body } = await world.admin.get('/_service/admin/v1/server/status');
      expect(body).toMatchObject({ release: manifest.version });
      expect(manifest.dependencies ?? {}).toEqual({});
      expect(manifest.exports['.']).toEqual({ types: './dist/mod.d.ts', default: './dist/mod.js' });
      const code = await read(`${SDK}/dist/mod.js`);
      expect(String(code)).not.toMatch(/^\s*import[\s{*'"(]/m);
      expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(LARGEST_GZIPPED);
      for (const file of ['README.md', 'LICENSE'])
        expect((await read(`${SDK}/${file}`)).length).toBeGreaterThan(0);
    });

    it('has types for the programs of its README, and against mistakes', async () => {
      const readme = String(await read(`${SDK}/README.md`));
      const programs = [...readme.matchAll(PROGRAM)].map(([, program = '']) => program);
      const files = [...programs, TYPED_PROGRAM].map((text, index) => ({ name: `typed-${index}.mts`, text }));
      expect(files.length).toBeGreaterThan(2);
      for (const { name, text } of files) await writeFile(join(directory, name), text);
      const args = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2023,dom',
      ];
      const tsc = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc');
      await run(process.execPath, [tsc, ...args, '--types', '', ...files.map(({ name }) => name)], {
        cwd: directory,
      });
    });

    it.each(commands)('administers a server under Node %s', async (_, command, index) => {
      const prefix = `sdk-node-${index}-`;
      const env = { STORY: JSON.stringify(parameters(prefix)) };
      const { stdout } = await run(String(command), ['program.mjs'], { cwd: directory, env });
      expect(JSON.parse(stdout)).toEqual(storyOf(prefix));
    });
    if (older.length === 0) it.skip(`administers a server under ${nodes.title}`, () => {});

    it.skipIf(chromium.command === undefined)(
      `administers a server from a page of another origin in ${chromium.title}`,
      async () => {
        const files: Readonly<Record<string, string>> = {
          '/sdk.js': `${SDK}/dist/mod.js`,
          '/story.mjs': 'story.mjs',
        };
        const site = createServer(async ({ url = '' }, response) => {
          const file = files[url];
          response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript');
          response.end(file === undefined ? '<!doctype html>' : await read(file));
        });
        site.listen(0, '127.0.0.1');
        await once(site, 'listening');
        const browser = await browsers.launch({
          executablePath: chromium.command ?? '',
          args: CHROMIUM_ARGS,
        });
        try {
          const page = await browser.newPage();
          await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
          const prefix = 'sdk-page-';
          const told = await page.evaluate(`Promise.all([import('/sdk.js'), import('/story.mjs')])
            .then(([sdk, { tellStory }]) => tellStory(sdk, ${JSON.stringify(parameters(prefix))}))`);
          expect(told).toEqual(storyOf(prefix));
        } finally {
          await browser.close();
          site.close();
        }
      },
    );
  });

  describe('the command line', () => {
    /** Runs the installed program, like `npx` does, with contexts of its own. */
    const stewardctl = async (node: string, args: readonly string[], input = '') => {
      const program = join(directory, 'node_modules/.bin/stewardctl');
      const env = { XDG_CONFIG_HOME: join(directory, 'config') };
      const running = run(node, [program, ...args], { cwd: directory, env });
      running.child.stdin?.end(input);
      const result = await running.then(
        (output) => ({ exitCode: 0, ...output }),
        ({ code, stdout, stderr }) => ({ exitCode: code, stdout, stderr }),
      );
      return { ...result, lines: result.stdout.split('\n').slice(0, -1) };
    };

    it('the command line is one package with all that it uses, and shows its release without loading the rest', async () => {
      const manifest = JSON.parse(String(await read(`${CLI}/package.json`)));
      expect(manifest.dependencies ?? {}).toEqual({});
      expect(String(await read(`${CLI}/dist/licences.txt`))).toMatch(/^commander .*\n\n.*MIT/m);
      const code = String(await read(`${CLI}/dist/main.js`));
      const loaded = [...code.matchAll(/^import .*?["'](.+)["'];$/gm)].map(([, specifier]) => specifier);
      expect(loaded).toEqual([expect.stringMatching(/^\.\/release-/)]);
      const { lines } = await stewardctl(process.execPath, ['--version']);
      expect(lines).toEqual([manifest.version]);
    });

    // The oldest and the newest one, because each command is a process.
    it.each(commands.slice(0, 2))('logs in, lists and filters under Node %s', async (_, node, index) => {
      const ctl = (args: string, input?: string) => stewardctl(node, args.split(' '), input);
      expect(await ctl(`login ${world.running.url} --name ${index}`, world.admin.token)).toMatchObject({
        exitCode: 0,
      });
      expect((await ctl('whoami --jq .user_id')).lines).toEqual([world.admin.userId]);
      expect((await ctl('users list --admins --limit 1 -o yaml')).lines).toContain('users:');
      expect((await ctl('audit verify --jq .valid')).lines).toEqual(['true']);
    });
    if (older.length === 0) it.skip(`logs in, lists and filters under ${nodes.title}`, () => {});

    it('administers a server', async () => {
      const ctl = (args: string, input?: string) => stewardctl(process.execPath, args.split(' '), input);
      const name = (localpart: string) => world.userId(`ctl-${localpart}`);
      expect(await ctl(`login ${world.running.url} --name here`, world.admin.token)).toMatchObject({
        exitCode: 0,
      });
      for (const localpart of ['a', 'b', 'c'])
        expect(await ctl(`users put ${name(localpart)} --body -`, '{"displayname":"日本 😀"}')).toMatchObject(
          { exitCode: 0 },
        );
      const list = `users list --name ctl- --order-by name`;
      const rows = (await ctl(`${list} --all -o ndjson`)).lines.map((line: string) => JSON.parse(line));
      expect(rows.map((row: { name: string; displayname: string }) => [row.name, row.displayname])).toEqual(
        ['a', 'b', 'c'].map((localpart) => [name(localpart), '日本 😀']),
      );
      expect((await ctl(`${list} --limit 2 --jq .users[].name`)).lines).toEqual([name('a'), name('b')]);
      expect((await ctl(`${list} -o table`)).lines).toHaveLength(4);

      expect(await ctl(`users deactivate ${name('a')}`)).toMatchObject({ exitCode: 2 });
      expect(await ctl(`users deactivate ${name('a')} --yes --reason ticket`)).toMatchObject({ exitCode: 0 });
      expect((await ctl(`users get ${name('a')} --jq .deactivated`)).lines).toEqual(['1']);
      const recorded = await ctl(`audit list --target ${name('a')} --limit 1 --jq .entries[].reason`);
      expect(recorded.lines).toEqual(['ticket']);

      const missing = await ctl(`users get ${name('lost')} -o json`);
      expect(missing).toMatchObject({ exitCode: 3, stdout: '' });
      expect(JSON.parse(missing.stderr)).toMatchObject({
        errcode: 'M_NOT_FOUND',
        request_id: expect.any(String),
      });
      expect(await ctl(`rooms list --order-by lost`)).toMatchObject({ exitCode: 2 });
      expect((await ctl('api GET v1/server_version')).lines).toContain('{');
      expect((await ctl('audit export')).lines.length).toBeGreaterThan(3);

      expect(await ctl(`login ${world.running.url} --name other`, 'lost')).toMatchObject({ exitCode: 4 });
      expect(await ctl('logout')).toMatchObject({ exitCode: 0 });
      expect(await ctl('whoami')).toMatchObject({ exitCode: 2 });
    });
  });
});
