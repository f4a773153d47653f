#!/usr/bin/env node
import { RELEASE } from './release.ts';

/** The exit code of a shell for what Ctrl-C ended. */
const INTERRUPTED = 130;

const args = process.argv.slice(2);
// What only shows the release loads nothing else.
if (args.length === 1 && args[0] === '--version') process.stdout.write(`${RELEASE}\n`);
else await run();

async function run(): Promise<void> {
  const [{ runCli }, { Interrupted }] = await Promise.all([import('./run-cli.ts'), import('./io/exit.ts')]);
  const { stdin, stdout, stderr, env } = process;
  const interruption = new AbortController();
  process.on('SIGINT', () => {
    // The second one ends the program whatever it does.
    if (interruption.signal.aborted) process.exit(INTERRUPTED);
    interruption.abort(new Interrupted());
  });
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of a pipe has read enough.
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
  process.exitCode = await runCli(
    {
      env,
      stdin,
      stdout: { stream: stdout, isTerminal: stdout.isTTY === true, columns: stdout.columns },
      stderr: { stream: stderr, isTerminal: stderr.isTTY === true, columns: stderr.columns },
      signal: interruption.signal,
      prompts: async () =>
        (await import('./io/clack-prompts.ts')).clackPrompts({ input: stdin, output: stderr }),
      fetch,
      now: () => performance.now(),
      time: Date.now,
      pause: async (ms, signal) => {
        const { setTimeout } = await import('node:timers/promises');
        await setTimeout(ms, undefined, { signal });
      },
      certificateOf: async (server, signal) =>
        (await import('./io/tls-certificate.ts')).tlsCertificate(server, signal),
    },
    args,
  );
}
