import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { path, requireTool } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownChapter } from '../chapter.ts';

const run = promisify(execFile);
const tmux = requireTool('tmux');
const zsh = requireTool('zsh');

const PROGRAM = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const PROMPT = 'command';

describe.skipIf(tmux.command === undefined)(tmux.title, () => {
  ownChapter('The command line on a terminal', (world) => {
    const socket = `steward-${randomUUID()}`;
    let home: string;

    const tell = (...args: readonly string[]) => run(tmux.command ?? '', ['-L', socket, ...args]);
    /** What the terminal shows, with what has scrolled away. */
    const screen = async () => (await tell('capture-pane', '-p', '-J', '-S', '-', '-t', 'story')).stdout;
    const type = (text: string) => tell('send-keys', '-t', 'story', '-l', text);
    const press = (...keys: readonly string[]) => tell('send-keys', '-t', 'story', ...keys);
    const shows = (text: string | RegExp) => expect.poll(screen).toMatch(text);
    /** How many commands the shell has begun, which its prompt says: an earlier one is not a sign that it reads again. */
    let count = 0;
    /** Begins a command on an empty screen, when the one before has ended. */
    const begin = async (command: string) => {
      count += 1;
      await shows(`${PROMPT} ${count}>`);
      await tell('clear-history', '-t', 'story');
      await type(`clear; ${command}`);
      await press('Enter');
    };

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'ctl-terminal-'));
      await writeFile(
        join(home, 'rc'),
        `PS1='${PROMPT} \\#> '\nstewardctl() { "${process.execPath}" "${PROGRAM}" "$@"; }\n`,
      );
      const environment = ['-e', `XDG_CONFIG_HOME=${home}`, '-e', 'LANG=C.UTF-8'];
      const shell = `bash --noprofile --rcfile ${join(home, 'rc')}`;
      await tell(
        '-f',
        '/dev/null',
        '-u',
        'new-session',
        '-d',
        '-s',
        'story',
        '-x',
        '100',
        '-y',
        '50',
        ...environment,
        shell,
      );
    });
    afterAll(async () => {
      await tell('kill-server');
      await rm(home, { recursive: true, force: true });
    });

    it('logs in, lists, deactivates many, goes through reports, and leaves a task at Ctrl-C', async () => {
      const bob = await world.user('term-bob');
      const carol = await world.user('term-carol');
      const { room_id: room } = (
        await bob.post<{ room_id: string }>('/_proto/client/v3/createRoom', {
          body: { preset: 'public_chat', name: '日本 😀' },
        })
      ).body;
      await carol.post(path`/_proto/client/v3/rooms/${room}/join`, { body: {} });
      const target = path`/_proto/client/v3/rooms/${room}/send/m.room.message/1`;
      const { event_id: event } = (
        await bob.put<{ event_id: string }>(target, {
          body: { msgtype: 'm.text', body: 'buy \u001b[2J pills' },
        })
      ).body;
      await carol.post(path`/_proto/client/v3/rooms/${room}/report/${event}`, { body: { reason: 'spam' } });

      await begin(`stewardctl login ${world.running.url} --name here`);
      await shows('Token for');
      await type(world.admin.token);
      await press('Enter');
      await shows('Logged in to');
      expect(await screen()).not.toContain(world.admin.token);

      await begin('stewardctl users list --name term- --order-by name');
      await shows(/NAME[\s\S]*@term-bob[\s\S]*@term-carol/);

      await begin('stewardctl reports triage');
      await shows(/Event report \d+, 1 to go[\s\S]*buy \\u\{1b\}\[2J pills[\s\S]*leave it, and go on/);
      await press('Down', 'Enter');
      await shows(/is dismissed[\s\S]*Reports dismissed: 1, left: 0/);
      const { body } = await world.admin.get<{ total: number }>('/_service/admin/v1/event_reports');
      expect(body.total).toBe(0);

      await begin('stewardctl users deactivate --where name=term- ; echo code $?');
      await shows(/Active accounts found: 2:[\s\S]*Type 2 to go on/);
      await type('2');
      await press('Enter');
      await shows(/deactivated +@term-carol[\s\S]*2 deactivated of 2 accounts[\s\S]*code 0/);

      // A task that does not end while the test looks: the server is asked for it, and nothing else.
      const server = createServer((request, response) => {
        const task = {
          id: 't1',
          kind: 'room.delete',
          state: 'active',
          target: room,
          progress: { done: 1, total: 4 },
        };
        response.writeHead(request.url?.endsWith('/tasks/t1') ? 200 : 404, {
          'content-type': 'application/json',
        });
        response.end(JSON.stringify(task));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        await begin(`STEWARD_SERVER=${url} STEWARD_TOKEN=x stewardctl tasks wait t1; echo code $?`);
        await shows(/█+░+ 1\/4 active room.delete/);
        await press('C-c');
        await shows(/Task t1 goes on in the server[\s\S]*code 130/);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    it.skipIf(zsh.command === undefined)(`completes commands and values in ${zsh.title}`, async () => {
      await begin(`stewardctl completion zsh > ${home}/zsh && ${zsh.command} -f`);
      await type(`PS1='in zsh> '; source ${home}/zsh; stewardctl() {}`);
      await press('Enter');
      await shows('in zsh> ');
      await type('stewardctl tas');
      await press('Tab');
      await type('wat');
      await press('Tab');
      await type(' -o y');
      await press('Tab');
      await shows(/stewardctl tasks watch +-o yaml/);
    });
  });
});
