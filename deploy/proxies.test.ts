import { readFileSync } from 'node:fs';
import { SyncService } from '@steward/proto/steward/room/v1/sync_pb.ts';
import { methodRules } from '@steward/rpc';
import { expect, it } from 'vitest';

const MS_PER_S = 1000;

/** How long a request may take besides its wait, in milliseconds: CALL_TIMEOUT_MS of the gateway. */
const CALL_TIMEOUT_MS = 60_000;

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const settingOf = (name: string) =>
  new RegExp(`^\\s*${name} (.*);$`, 'm').exec(read('proxies/nginx.conf'))?.[1];

it('wait longer than the longest poll may take', () => {
  const longestMs = methodRules(SyncService.method.sync).maxWaitMs + CALL_TIMEOUT_MS;
  expect(Number.parseInt(settingOf('proxy_read_timeout') ?? '', 10) * MS_PER_S).toBeGreaterThan(longestMs);
});

it('pass bodies on as they arrive, and the address of the client alone', () => {
  expect(settingOf('client_max_body_size')).toBe('0');
  expect(settingOf('proxy_request_buffering')).toBe('off');
  expect(settingOf('proxy_set_header X-Forwarded-For')).toBe('$remote_addr');
});
