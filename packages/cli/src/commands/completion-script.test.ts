import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { requireTool } from '@steward/testing';
import { expect, it } from 'vitest';
import { runForTest } from '../testing/run-for-test.ts';

const run = promisify(execFile);
const fish = requireTool('fish');

it('completes commands, flags and values in bash', async () => {
  const { stdout: script, exitCode } = await runForTest(['completion', 'bash']);
  expect(exitCode).toBe(0);
  const lines = [
    'stewardctl us',
    'stewardctl users li',
    'stewardctl tasks list --re',
    'stewardctl users list --order-by loc',
    'stewardctl -o json users get --dr',
    'stewardctl users list -o y',
    'stewardctl completion ',
  ];
  const program = `${script}
complete_line() {
  read -ra COMP_WORDS <<<"$1"
  [[ $1 == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _stewardctl
  echo "\${COMPREPLY[*]}"
}
${lines.map((line) => `complete_line '${line}'`).join('\n')}
`;
  const { stdout, stderr } = await run('bash', ['-uc', program]);
  expect(stderr).toBe('');
  expect(stdout.split('\n').slice(0, -1)).toEqual([
    'users user-reports',
    'list list-by-state list-sessions list-passkeys lift-shadow-ban list-joined-rooms list-memberships list-push-states list-media list-activity list-account-data list-pushers',
    '--requested-by --reason',
    'locked',
    '--dry-run',
    'yaml',
    'bash zsh fish',
  ]);
});

it.skipIf(fish.command === undefined)(`completes commands, flags and values in ${fish.title}`, async () => {
  const { stdout: script } = await runForTest(['completion', 'fish']);
  const lines = [
    'stewardctl us',
    'stewardctl tasks wa',
    'stewardctl tasks list --re',
    'stewardctl users list --order-by loc',
    'stewardctl -o json users get --dr',
    'stewardctl completion ',
  ];
  const program = `${script}\n${lines.map((line) => `complete -C '${line}'; echo`).join('\n')}`;
  const { stdout, stderr } = await run(fish.command ?? '', ['--no-config', '-c', program]);
  expect(stderr).toBe('');
  const names = stdout
    .replaceAll(/\t.*/g, '')
    .trim()
    .split('\n\n')
    .map((each) => each.split('\n'));
  expect(names).toEqual([
    ['users', 'user-reports'],
    ['wait', 'watch'],
    ['--reason', '--requested-by'],
    ['locked'],
    ['--dry-run'],
    ['bash', 'fish', 'zsh'],
  ]);
});

it('the completion script is for three shells', async () => {
  expect(await runForTest(['completion', 'tcsh'])).toMatchObject({ exitCode: 2 });
});
