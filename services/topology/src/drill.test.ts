import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { systemRandom } from '@steward/kernel';
import { isDue, requireEngine, withLongTimeouts } from '@steward/testing';
import { MongoClient } from 'mongodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findNatsServer } from './fixtures/nats-server.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The drill takes minutes on a busy machine. */
const TIMEOUT_MS = 900_000;

/** The step that stops the database, which other tests use; `database-away.test.ts` is about it. */
const LEFT_OUT = '## Lose the database';

/** Pauses are for people who look at dashboards. Each is cut to this, in seconds; one of a second, between attempts, to a fifth. */
const PAUSE_S = 2;

/** The clients of the load; one here, because more take the processor from the processes that start. */
const CLIENTS = 'for client in 1 2 3 4;';
const ONE_CLIENT = 'for client in 1;';

const mongo = requireEngine('mongo');
const natsServer = findNatsServer(process.env);
const missing = [
  ...(mongo.url === undefined ? ['MONGODB_URL'] : []),
  ...(natsServer === undefined ? ['NATS_SERVER'] : []),
  ...['bash', 'curl', 'jq', 'openssl'].filter((command) => !isInstalled(command)),
];

/** The commands of the drill, by the title of its steps, as an operator copies them from the document. */
function stepsOfDrill(): ReadonlyMap<string, string> {
  const document = readFileSync(new URL('docs/drill.md', `file://${ROOT}`), 'utf8');
  const steps = document.split(/^(?=## )/m).slice(1);
  return new Map(
    steps.map((step) => {
      const blocks = [...step.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block);
      return [step.split('\n', 1)[0] ?? '', blocks.join('\n')];
    }),
  );
}

function isInstalled(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}

const skipReason = missing.length > 0 ? ` (missing: ${missing.join(', ')})` : '';

describe.skipIf(missing.length > 0)(`the drill of docs/drill.md${skipReason}`, () => {
  it.skipIf(!isDue('drill', ['docs/drill.md', 'deploy/']))(
    'works as it is written',
    { timeout: TIMEOUT_MS },
    async () => {
      const name = `drill_${systemRandom.bytes(6).toString('hex')}_`;
      const url = withLongTimeouts(mongo.url ?? '');
      onTestFinished(async () => {
        const client = await MongoClient.connect(url);
        for (const n of [1, 2]) await client.db(`${name}${n}`).dropDatabase();
        await client.close();
      });
      const steps = stepsOfDrill();
      expect(steps.get('## Load')).toContain(CLIENTS);
      const commands = [...steps]
        .filter(([title]) => title !== LEFT_OUT)
        .map(
          ([title, block]) =>
            `echo '${title}'\n${block.replaceAll('drill1', `${name}1`).replace(CLIENTS, ONE_CLIENT)}`,
        );
      const pause = `case $1 in 1) command sleep 0.2 ;; *) command sleep ${PAUSE_S} ;; esac`;
      const preparation = `sleep() { ${pause}; }\ncd '${ROOT}'`;
      const shell = spawn('bash', ['-c', [preparation, ...commands].join('\n')], {
        env: {
          ...process.env,
          MONGODB_URL: mongo.url,
          PATH: [dirname(natsServer ?? ''), process.env.PATH].join(delimiter),
        },
        // Its own group, so that nothing which it started outlives the test.
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => {
        try {
          process.kill(-(shell.pid ?? 0), 'SIGKILL');
        } catch {
          // All have ended.
        }
      });
      const [output] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
      const shown = new Map(
        output
          .split(/^(?=## )/m)
          .map((part) => [part.split('\n', 1)[0] ?? '', part.slice(part.indexOf('\n') + 1)]),
      );
      const statuses = (step: string) =>
        [...(shown.get(step) ?? '').matchAll(/^ +\d+ (\d{3})$/gm)].map(([, status]) => status);

      const restored = shown.get('## Back up, destroy, restore, verify');
      expect(restored).toContain('\nidentical\n');
      expect(restored).toContain('"user_id":"@alice:drill.example"');
      expect(restored).toContain('the same bytes\n');
      expect(restored?.trimEnd().endsWith('\n0')).toBe(true);
      expect(shown.get('## Lose the broker')).toMatch(/^steward_bus_connected 0$/m);
      expect(shown.get('## Lose the broker')).toContain('"missing":["broker"]');
      expect(shown.get('## Lose a disk')).toContain('"errcode"');
      expect(shown.get('## Lose a disk')).toMatch(/^steward_media_uploads_total\{outcome="failed"\} 1$/m);
      expect(shown.get('## Lose a disk')).toContain('\nidentical\n');
      for (const step of [
        '## Back up, destroy, restore, verify',
        '## Scale and roll, under load',
        '## Lose the broker',
      ])
        expect({ step, statuses: statuses(step) }).toEqual({ step, statuses: ['200'] });
    },
  );
});
