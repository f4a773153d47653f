import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

const LINES = 200;

/** A service that is ready, and writes lines when it is asked to end. */
const SERVICE = `
  import { createLogger } from '${import.meta.resolve('@steward/telemetry')}';
  const log = createLogger({ level: 'info', name: 'service' });
  process.once('SIGTERM', () => {
    for (let n = 0; n < ${LINES}; n++) log.info({ n, text: 'a\\u2028b\\u2029c' });
    process.exit(0);
  });
  setInterval(() => {}, 1_000);
  console.log('ready at http://127.0.0.1:1');
`;

/** A process that starts it, ends it, and ends. */
const PARENT = `
  import { startChild } from '${new URL('./child.ts', import.meta.url).href}';
  const child = await startChild(process.argv[1], process.env);
  await child.stop();
  process.exit(0);
`;

it('passes every line of a process on as it is, to the last', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'steward-child-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const entry = join(directory, 'service.mjs');
  writeFileSync(entry, SERVICE);
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, entry], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = (await text(parent.stdout)).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: LINES }, (_, n) => n));
});
