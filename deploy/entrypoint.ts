// Runs the named command, such as that of a container, in this process, which is the one that receives the signals.
import { fileURLToPath } from 'node:url';
import { ENTRIES } from './entries.ts';

const [node = '', , command = '', ...args] = process.argv;
const path = Object.hasOwn(ENTRIES, command) ? ENTRIES[command] : undefined;

if (path === undefined) {
  process.stderr.write(
    `steward: there is no command "${command}"; there are ${Object.keys(ENTRIES).join(', ')}\n`,
  );
  process.exitCode = 1;
} else {
  const entry = new URL(`../${path}`, import.meta.url);
  process.argv = [node, fileURLToPath(entry), ...args];
  await import(entry.href);
}
