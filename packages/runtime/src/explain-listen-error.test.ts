import { once } from 'node:events';
import { createServer } from 'node:net';
import { loadConfig } from '@steward/config';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainListenError } from './explain-listen-error.ts';

const settings = (host: string, port: number) =>
  loadConfig({
    env: {
      STEWARD_HOST: host,
      STEWARD_PORT: String(port),
      STEWARD_METRICS_PORT: '9100',
      STEWARD_GRPC_PORT: '9200',
    },
  });

/** The line for the error of a server that cannot listen. */
const attempt = async (host: string, port: number) => {
  const server = createServer();
  onTestFinished(() => void server.close());
  const failed = once(server, 'error');
  server.listen(port, host);
  return explainListenError((await failed)[0], settings(host, port));
};

describe('an error of listening', () => {
  it('blames the host for an address or a name that this machine does not have', async () => {
    expect(await attempt('203.0.113.9', 0)).toBe(
      'STEWARD_HOST: 203.0.113.9 is not an address of this machine (EADDRNOTAVAIL).',
    );
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND steward.invalid'), {
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
      hostname: 'steward.invalid',
    });
    expect(explainListenError(unknown, settings('steward.invalid', 0))).toMatch(/^STEWARD_HOST: steward/);
    expect(explainListenError(unknown, settings('127.0.0.1', 0))).toBeUndefined();
  });

  it('blames the setting of the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    expect(await attempt('127.0.0.1', port)).toMatch(new RegExp(`^STEWARD_PORT: port ${port} is in use`));
    const listen = (code: string, port: number) =>
      explainListenError({ code, port, syscall: 'listen' }, settings('127.0.0.1', 80));
    expect(listen('EADDRINUSE', 9100)).toMatch(/^STEWARD_METRICS_PORT: port 9100 is in use/);
    expect(listen('EADDRINUSE', 9200)).toMatch(/^STEWARD_GRPC_PORT: port 9200 is in use/);
    expect(listen('EACCES', 80)).toMatch(/^STEWARD_PORT: this user may not listen on port 80/);
    expect(listen('EMFILE', 80)).toBe('STEWARD_PORT: port 80 cannot be listened on (EMFILE).');
  });

  it('an error of listening is none when nothing was to be listened on', () => {
    expect(explainListenError(new Error('other'), settings('127.0.0.1', 80))).toBeUndefined();
  });
});
