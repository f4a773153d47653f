import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { SessionManager } from './session-manager.ts';

it('survives a call that begins while the manager destroys an idle connection', async () => {
  const sessions: ServerHttp2Session[] = [];
  const server = createServer((_, response) => response.end());
  server.on('session', (session) => sessions.push(session));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const manager = new SessionManager(`http://127.0.0.1:${port}`);
  onTestFinished(() => {
    manager.abort();
    for (const session of sessions) session.destroy();
    server.close();
  });
  const stream = await manager.request('GET', '/', {}, {});
  const { session } = stream;
  stream.resume();
  await once(stream, 'close');
  const reconnected = new Promise((resolve) => {
    session?.on('goaway', () => resolve(manager.connect()));
  });
  const error = new Promise((resolve) => session?.on('error', resolve));
  sessions[0]?.goaway();
  expect(await reconnected).toBe('idle');
  expect(await error).toBeInstanceOf(Error);
  expect(session?.listenerCount('error')).toBe(2);
});
