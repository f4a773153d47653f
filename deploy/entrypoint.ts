// Runs the named command, such as that of a container, in this process, which is the one that receives the signals.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENTRIES } from './entries.ts';

const [node = '', , command = '', ...args] = process.argv;
const program = fileURLToPath(new URL(`../dist/${command}.js`, import.meta.url));

if (!Object.hasOwn(ENTRIES, command)) {
  fail(`there is no command "${command}"; there are ${Object.keys(ENTRIES).join(', ')}`);
} else if (!existsSync(program)) {
  fail('the programs are not built; run: npm run setup');
} else {
  process.argv = [node, program, ...args];
  await import(program);
}

function fail(reason: string): void {
  process.stderr.write(`steward: ${reason}\n`);
  process.exitCode = 1;
}
