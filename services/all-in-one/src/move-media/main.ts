import { readFile } from 'node:fs/promises';
import { runCommand } from '../command/run-command.ts';
import { sayResult } from '../command/say.ts';
import { moveMedia } from './move-media.ts';

const USAGE = `Moves the media of a running server from STEWARD_MEDIA_SECOND_STORE to STEWARD_MEDIA_STORE, and waits until it has.

  steward media-move --token-file <file> [options]

  --token-file <file>    the file of an access token of an administrator
  --url <url>            where the server listens; http://127.0.0.1:<STEWARD_PORT> when left out
  --mb-per-second <n>    how many megabytes are copied per second at most; 50 when left out

The server does it as a task, which continues when this command or the server is ended. Repeat the command to wait for it.
Exits with 1 if the bytes of a medium are missing or damaged; the others are moved.
`;

const BYTES_PER_MB = 1_000_000;

runCommand(process.env, {
  name: 'media-move',
  usage: USAGE,
  required: 'token-file',
  optional: ['url', 'mb-per-second'],
  async run(values, config, onProblem, progress) {
    const rate = values['mb-per-second'];
    if (rate !== undefined && !(Number(rate) > 0))
      throw new Error('--mb-per-second must be a number above 0.');
    const began = performance.now();
    const order = {
      url: values.url ?? `http://127.0.0.1:${config.server.port}`,
      token: (await readFile(values['token-file'], 'utf8')).trim(),
      bytesPerSecond: rate === undefined ? undefined : Math.ceil(Number(rate) * BYTES_PER_MB),
    };
    const { moved, bytes, missing, damaged, media } = await progress('media', (step) =>
      moveMedia({ ...order, onProgress: step.set }),
    );
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    sayResult(`${moved} media (${Math.ceil(bytes / BYTES_PER_MB)} MB) were moved in ${seconds} s.`);
    if (missing > 0) onProblem(`the bytes of ${missing} media are in neither store`);
    if (damaged > 0) {
      onProblem(`the bytes of ${damaged} media are not those of the upload, and stay in the second store`);
    }
    for (const id of media) onProblem(`  ${id}`);
    sayResult(
      damaged > 0
        ? 'Keep media.second_store until these media are deleted or mended, and move again.'
        : 'The server needs media.second_store no more: take the setting away and restart. What that store still has belongs to no medium.',
    );
  },
});
