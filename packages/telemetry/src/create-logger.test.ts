import { expect, it } from 'vitest';
import { createLogger, type LoggerOptions } from './create-logger.ts';

/** A logger, and the lines that it wrote. */
function record(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLogger({ level: 'info', name: 'gateway', destination, ...options }) };
}

it('writes one line of JSON per entry, from its level up', () => {
  const { log, lines } = record();
  log.info({ port: 8008 }, 'listening');
  log.debug('unseen');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    name: 'gateway',
    port: 8008,
    msg: 'listening',
  });
});

it('contains no secrets at any depth', () => {
  const { log, lines } = record();
  log.info({
    url: '/_service/admin/v1/users?access_token=hush',
    password: 'hush',
    body: { new_password: 'hush', mac: 'hush', nonce: 'hush', username: 'alice' },
    request: { headers: { authorization: 'Bearer hush', accept: '*/*' } },
  });
  log.child({ access_token: 'hush' }).info('child');
  expect(lines.join('')).not.toContain('hush');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    url: '/_service/admin/v1/users?access_token=[redacted]',
    body: { username: 'alice', mac: '[redacted]' },
    request: { headers: { authorization: '[redacted]', accept: '*/*' } },
  });
});

it('does not modify the logged objects', () => {
  const { log } = record();
  const body = { password: 'hush' };
  log.info({ body });
  expect(body).toEqual({ password: 'hush' });
});

it('writes text for humans', () => {
  const { log, lines } = record({ format: 'text' });
  log.warn({ user: 'alice', n: 2 }, 'slow');
  log.error(new TypeError('no way'));
  expect(lines[0]).toMatch(/^\S+Z WARN {2}gateway: slow user="alice" n=2\n$/);
  expect(lines[1]).toMatch(/^\S+Z ERROR gateway: no way type="TypeError"\nTypeError: no way\n {4}at /);
});
