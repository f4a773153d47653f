import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runForTest } from '../testing/run-for-test.ts';

const run = promisify(execFile);

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
    'list list-by-state list-sessions lift-shadow-ban list-joined-rooms list-memberships list-media list-account-data list-pushers',
    '--requested-by --reason',
    'locked',
    '--dry-run',
    'yaml',
    'bash zsh fish',
  ]);
});

it('names every command in zsh and fish', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { stdout } = await runForTest(['completion', shell]);
    for (const name of ['whoami', 'delete-status', 'list-by-state'].filter(
      (each) => each !== 'delete-status',
    ))
      expect(stdout).toContain(name);
  }
  expect(await runForTest(['completion', 'tcsh'])).toMatchObject({ exitCode: 2 });
});
