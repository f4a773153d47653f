import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const MOD = fileURLToPath(new URL('../mod.ts', import.meta.url));

/**
 * Prints whether a process has loaded OpenTelemetry that has opened its tracing with these settings. Its API alone, a few interfaces,
 * is loaded by prom-client.
 */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({
    resolve(specifier, context, next) {
      if (/^@opentelemetry\\/(?!api$)/.test(specifier)) loaded.push(specifier);
      return next(specifier, context);
    },
  });
  const { noMeters, openTracing } = await import(process.argv[1]);
  const settings = JSON.parse(process.argv[2]);
  const tracing = await openTracing({ name: 't', serverName: 't', release: '1', settings, meters: noMeters, random: { bytes: Buffer.alloc } });
  console.log(JSON.stringify({ isOn: tracing !== undefined, isLoaded: loaded.length > 0 }));
`;

it.each([
  [{}, { isOn: false, isLoaded: false }],
  [{ endpoint: 'http://127.0.0.1:9/v1/traces' }, { isOn: true, isLoaded: true }],
])('with the settings %j loads OpenTelemetry only if they need it', (settings, outcome) => {
  const args = ['--input-type=module', '--eval', PROGRAM, MOD, JSON.stringify({ ratio: 1, ...settings })];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(outcome);
});
