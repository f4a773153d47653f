import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programPath } from '@steward/testing';
import { freePorts } from '@steward/topology/testing';

const CLASSES_FLOOR = fileURLToPath(new URL('./classes/floor.ts', import.meta.url));
const BYTES_FLOOR = fileURLToPath(new URL('./bytes-floor.ts', import.meta.url));

/** The secret with which the benches register accounts. */
export const SECRET = 'bench-secret';

/** The options and the environment of `npm run serve`: they save memory at little cost. */
const NODE_OPTIONS = ['--max-semi-space-size=8'];
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

/** How long a server may take to be ready, in milliseconds. */
const START_TIMEOUT_MS = 120_000;

/** A server in its own process. */
export interface Server {
  readonly url: string;
  readonly readyMs: number;
  /** Resident memory, in MB. */
  memoryMb(): number;
  /** The most resident memory since it was last forgotten, in MB. */
  peakMb(): number;
  forgetPeak(): void;
  /** The processor time that it has used, in milliseconds, with a resolution of ten. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** Starts the server on a data directory, with settings beside the default ones. */
export function startSteward(data: string, overrides: object = {}): Promise<Server> {
  return start(programPath('serve'), data, overrides);
}

/** Starts the floor of the bench of classes: one indexed read behind a bare HTTP handler. */
export function startClassesFloor(data: string): Promise<Server> {
  return start(CLASSES_FLOOR, data);
}

/** Starts the baseline for bytes: a file from and to the disk behind a bare HTTP handler. */
export function startBytesFloor(data: string): Promise<Server> {
  return start(BYTES_FLOOR, data);
}

async function start(main: string, data: string, overrides: object = {}): Promise<Server> {
  const [port] = await freePorts(1);
  const began = performance.now();
  const child = spawn(process.execPath, [...NODE_OPTIONS, main], {
    env: {
      ...process.env,
      ...ENVIRONMENT,
      STEWARD_CONFIG_OVERRIDES: JSON.stringify(overrides),
      STEWARD_DATA: data,
      STEWARD_PORT: String(port),
      STEWARD_REGISTRATION_SHARED_SECRET: SECRET,
      STEWARD_RATE_LIMIT: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Killed also when a bench fails, so that no server is left behind.
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() - began > START_TIMEOUT_MS) {
      throw new Error(`${main} did not start`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {
    url,
    readyMs: performance.now() - began,
    memoryMb: () => memoryMb(child, 'VmRSS'),
    peakMb: () => memoryMb(child, 'VmHWM'),
    forgetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, FORGET_PEAK),
    cpuMs: () => processCpuMs(child.pid),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

/** What the kernel takes for the order to count the peak of the memory anew. */
const FORGET_PEAK = '5';

function memoryMb(child: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}

/** On all platforms of Node, Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** The processor time that a process has used, in milliseconds, with a resolution of ten. */
export function processCpuMs(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program name, in brackets, may contain spaces. The text after it begins with the third field.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * MS_PER_TICK;
}

/** Registers an account with the shared secret and returns its token. */
export async function register(url: string, username: string, admin: boolean): Promise<string> {
  const endpoint = `${url}/_service/admin/v1/register`;
  const { nonce } = (await (await fetch(endpoint)).json()) as { nonce: string };
  const password = 'bench';
  const mac = createHmac('sha1', SECRET)
    .update([nonce, username, password, admin ? 'admin' : 'notadmin'].join('\0'))
    .digest('hex');
  const body = JSON.stringify({ nonce, username, password, admin, mac });
  const answer = await fetch(endpoint, { method: 'POST', body });
  if (!answer.ok) throw new Error(`register answered ${answer.status}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}

/**
 * Sends a request, and returns the text of the answer.
 *
 * @throws Error when the server refuses it
 */
export async function call(
  server: Server,
  token: string,
  method: string,
  path: string,
  body?: object | string,
): Promise<string> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

/**
 * Signs a user in with a password, and returns the token. With the token by which an administrator acts as the user, each request would be
 * recorded in the audit log, and counted as one of the administrator.
 */
export async function signIn(server: Server, admin: string, user: string): Promise<string> {
  const password = 'a password of the bench';
  const account = `/_service/admin/v2/users/${encodeURIComponent(user)}`;
  await call(server, admin, 'PUT', account, { password, logout_devices: false });
  const identifier = { type: 'm.id.user', user };
  const body = { type: 'm.login.password', identifier, password };
  return JSON.parse(await call(server, admin, 'POST', '/_proto/client/v3/login', body)).access_token;
}
