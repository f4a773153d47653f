import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { CertificateFiles } from './certificates.ts';

/** How long a program may take to accept connections, in milliseconds; a busy machine takes a second. */
const START_LIMIT_MS = 20_000;
/** The pause between two attempts to connect, in milliseconds. */
const ATTEMPT_MS = 20;

/** A running engine of one test. */
export interface Program {
  readonly port: number;
  /** What it has written to its log. */
  log(): string;
  /** Makes it read its configuration again, after `configure` has replaced it. */
  configure(configuration: string): void;
  /** Ends it, and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a NATS server with JetStream.
 *
 * @param command from `requireTool('nats_server')`
 * @param configuration of TLS and users; address and storage are added
 */
export async function startNatsServer(command: string, configuration: string): Promise<Program> {
  const port = await freePort();
  return start(port, configuration, (folder, file) => [
    command,
    ...['--config', file, '--addr', '127.0.0.1', '--port', String(port)],
    ...['--jetstream', '--store_dir', join(folder, 'jetstream')],
  ]);
}

/**
 * Starts FerretDB with TLS and with logins, on the data of the engine of the tests.
 *
 * @param command from `requireTool('ferretdb')`
 */
export async function startFerretDb(
  command: string,
  { certificate, key }: CertificateFiles,
): Promise<Program> {
  const port = await freePort();
  return start(port, '', (folder) => [
    ...command.split(' '),
    ...['--listen-addr=', `--listen-tls=127.0.0.1:${port}`, `--state-dir=${folder}`, '--debug-addr=-'],
    ...[`--listen-tls-cert-file=${certificate}`, `--listen-tls-key-file=${key}`, '--telemetry=disable'],
  ]);
}

async function start(
  port: number,
  configuration: string,
  words: (folder: string, file: string) => readonly string[],
): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-program-'));
  const file = join(folder, 'configuration');
  writeFileSync(file, configuration);
  const [program = '', ...args] = words(folder, file);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (data) => (log += data));
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  };
  const until = Date.now() + START_LIMIT_MS;
  while (!(await accepts(port))) {
    if (hasEnded(child) || Date.now() > until) {
      await stop();
      throw new Error(`${program} does not listen: ${log}`);
    }
    await setTimeout(ATTEMPT_MS);
  }
  return {
    port,
    log: () => log,
    configure(replacement) {
      writeFileSync(file, replacement);
      child.kill('SIGHUP');
    },
    stop,
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
