import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from './create-logger.ts';
import { LineWriter } from './line-writer.ts';

/** The path of a file in a directory that is removed after the test. */
function temporaryPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'steward-lines-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'log');
}

/** A file, and a writer to it. */
function inFile() {
  const path = temporaryPath();
  const fd = openSync(path, 'a');
  onTestFinished(() => closeSync(fd));
  return { writer: new LineWriter(fd), lines: () => readFileSync(path, 'utf8').trimEnd().split('\n') };
}

/** A pipe whose reader reads nothing until it is asked to. */
function stalledPipe() {
  const path = temporaryPath();
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  onTestFinished(() => {
    closeSync(fd);
    closeSync(reader);
  });
  const buffer = Buffer.alloc(64 * 1024);
  const read = () => {
    try {
      return buffer.subarray(0, readSync(reader, buffer)).toString();
    } catch {
      return '';
    }
  };
  return { writer: new LineWriter(fd), read };
}

it('writes the lines of a turn together, and at once from level warn', async () => {
  const { writer, lines } = inFile();
  const log = createLogger({ level: 'info', name: 'test', destination: writer });
  log.info('one');
  log.info('two');
  expect(lines()).toEqual(['']);
  log.warn('three');
  expect(lines().map((line) => JSON.parse(line).msg)).toEqual(['one', 'two', 'three']);
  log.info('four');
  await vi.waitFor(() => expect(lines()).toHaveLength(4));
});

it('keeps the order of lines for people', () => {
  const { writer, lines } = inFile();
  const log = createLogger({ level: 'info', name: 'test', format: 'text', destination: writer });
  log.info('one');
  log.error('two');
  expect(lines()).toEqual([expect.stringContaining('one'), expect.stringContaining('two')]);
});

it('never waits for its reader, and says how many lines were left out', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { writer, read } = stalledPipe();
  const count = 3_000;
  for (let i = 0; i < count; i++) {
    writer.lastLevel = 50;
    writer.write(`${String(i).padStart(999)}\n`);
  }
  let output = '';
  // The writer tries again after each timer; a pipe takes 4 KiB or more each time.
  for (let tries = 0; tries < 1_000 && !output.includes('left out'); tries++) {
    output += read();
    vi.advanceTimersToNextTimer();
  }
  const lines = output.trimEnd().split('\n');
  const note = JSON.parse(lines.pop() ?? '');
  expect(note).toMatchObject({ level: 'warn', lines: count - lines.length });
  expect(lines.map(Number)).toEqual(lines.map((_, i) => i));
  expect(lines.length).toBeGreaterThan(1_000);
});

it('writes what is left when the process exits, also more than its reader takes at once', async () => {
  const mod = new URL('./mod.ts', import.meta.url).href;
  const script = `import { createLogger } from '${mod}';
    const log = createLogger({ level: 'info', name: 'test' });
    for (let i = 0; i < 1_000; i++) log.info({ pad: 'x'.repeat(500) }, 'line');
    log.info('last');
    process.exit(3);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = (await text(child.stdout)).trimEnd().split('\n');
  expect(lines).toHaveLength(1_001);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'last' });
});

it('does not wait long for its reader when the process exits', () => {
  const { writer } = stalledPipe();
  for (let i = 0; i < 1_000; i++) writer.write(`${String(i).padStart(999)}\n`);
  const start = performance.now();
  writer.end();
  expect(performance.now() - start).toBeLessThan(5_000);
});
