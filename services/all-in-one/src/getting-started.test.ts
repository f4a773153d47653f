import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { onSite } from './fixtures/processes.ts';

const DOCUMENT = fileURLToPath(new URL('../../../docs/getting-started.md', import.meta.url));
const README = fileURLToPath(new URL('../../../README.md', import.meta.url));
const ADDRESS = 'base=http://127.0.0.1:8008';
const SECRET = 'data/registration_shared_secret';
const PROGRAMS = ['bash', 'curl', 'jq', 'openssl'];
/** Two rounds of some forty requests, each a program of its own. */
const LIMIT_MS = 300_000;

const missing = PROGRAMS.filter((program) => spawnSync(program, ['--version']).error !== undefined);

/** Runs a script in the folder of the server, and returns how it ended. */
function runScript(script: string, cwd: string) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile('bash', ['-c', script], { cwd }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

it.skipIf(missing.length > 0)(
  'what docs/getting-started.md asks the server succeeds from top to bottom, also twice, and stops with a sentence; so do the requests of the README',
  onSite(async ({ data, start }) => {
    const text = await readFile(DOCUMENT, 'utf8');
    const blocks = [...text.matchAll(/^```sh\n(\{\n[\s\S]*?)^```/gm)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(3);
    // With the limits of a server as it is started: of those on logins, two rounds leave some for what the document does further down.
    const { url } = await start({ STEWARD_RATE_LIMIT: 'on' });
    const script = blocks
      .join('')
      .replace(ADDRESS, `base=${url}`)
      .replace(SECRET, `${data}/registration_shared_secret`);
    for (const round of [1, 2]) {
      const { code, stdout, stderr } = await runScript(script, dirname(data));
      expect({ round, code, stderr }).toEqual({ round, code: 0, stderr: '' });
      expect(stdout).not.toMatch(/^null$/m);
      for (const part of ['M_USER_LOCKED', '"kind":"suspend"', 'No cake for you!', 'auditor'])
        expect(stdout).toContain(part);
    }
    const [, short = ''] = /^```sh\n(base=[\s\S]*?)^```/m.exec(await readFile(README, 'utf8')) ?? [];
    const inShort = await runScript(short.replace(ADDRESS, `base=${url}`), dirname(data));
    expect(inShort).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('"displayname":"Bob"'),
    });
    expect(inShort.stdout).toContain('"id_server_unbind_result"');
    expect(inShort.stdout).not.toContain('errcode');
    const refused = await runScript(script.replace('password=wonderland', 'password=another'), dirname(data));
    expect(refused).toMatchObject({ stdout: '', stderr: expect.stringContaining('M_FORBIDDEN') });
    expect(refused.code).not.toBe(0);
    const unreachable = await runScript(script.replace(url, 'http://127.0.0.1:1'), dirname(data));
    expect(unreachable).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('does the server run at'),
    });
  }),
  LIMIT_MS,
);
