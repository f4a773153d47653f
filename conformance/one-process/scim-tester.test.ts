import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { requireTool } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { oneProcessChapter } from '../chapter.ts';
import { GROUP_SCOPES, SCIM, tokenWith } from '../scim/directory.ts';

const CHECK = fileURLToPath(new URL('../scim/check.py', import.meta.url));

/** How long all checks may take, in milliseconds; a busy machine takes ten seconds. */
const LIMIT_MS = 120_000;

/**
 * What the checker expects and the server does otherwise: an address has a type and may be the primary one although the client states
 * neither, and an account is active or not.
 */
const OTHERWISE = [
  "unexpected value for 'emails'",
  "unexpected value for 'phoneNumbers'",
  "Failed to remove attribute 'active'",
];

interface Check {
  readonly check: string;
  readonly status: string;
  readonly reason: string;
}

const python = requireTool('scim_python');
const run = promisify(execFile);

describe.skipIf(python.command === undefined)(`SCIM as others check it: ${python.title}`, () => {
  oneProcessChapter('SCIM as others check it', (world) => {
    it('an independent checker finds no violation of the standard', { timeout: LIMIT_MS }, async () => {
      const token = await tokenWith(world, GROUP_SCOPES);
      const { stdout } = await run(python.command ?? '', [CHECK], {
        timeout: LIMIT_MS,
        env: { ...process.env, SCIM_URL: `${world.running.url}${SCIM}`, SCIM_TOKEN: token },
      });
      const checks = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Check);
      expect(checks.length).toBeGreaterThan(40);
      const violations = checks.filter(({ status }) => ['ERROR', 'CRITICAL'].includes(status));
      const unexpected = violations.filter(({ reason }) => !OTHERWISE.some((part) => reason.includes(part)));
      expect(unexpected).toEqual([]);
    });
  });
});
