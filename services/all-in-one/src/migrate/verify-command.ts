import { readFileSync } from 'node:fs';
import { own, ownString } from '@steward/kernel';
import { openServer, type Server, type Unexplained, verifyHomeserver } from '@steward/migrate';
import { rateOf, showMeanwhile } from '../command/progress.ts';
import { openPrompt } from '../command/prompt.ts';
import { sayResult } from '../command/say.ts';

/** The exit status of a comparison that has found differences which are not meant to be, or whose password was refused. */
const FAILED = 2;

/** How many differences are named. */
const NAMED = 1_000;

/** How much of a value is shown. */
const SHOWN = 200;

/** What is compared, and as whom. */
export interface VerifyOrder {
  readonly oldUrl: string;
  readonly newUrl: string;
  /** The files with the tokens of administrators. */
  readonly oldTokenFile: string;
  readonly newTokenFile: string;
  /** A user whose password is tried on the new server; undefined for none. */
  readonly user: string | undefined;
  /** The file with the password; undefined to ask for it. */
  readonly passwordFile: string | undefined;
  readonly json: boolean;
}

/**
 * Asks the old and the new server the same, and prints how they differ.
 *
 * @returns the exit status
 * @throws Error with a message of one line when it cannot be done
 */
export async function verifyCommand(order: VerifyOrder): Promise<number> {
  const old = await openServer('old', order.oldUrl, tokenOf(order.oldTokenFile));
  const now = await openServer('new', order.newUrl, tokenOf(order.newTokenFile));
  const { user } = order;
  const password = user === undefined ? undefined : await passwordOf(order);
  const differences: Unexplained[] = [];
  let done = 0;
  const shown = showMeanwhile(
    (elapsedMs) => `migrate: verify: ${done} compared, ${rateOf(done, elapsedMs)}/s`,
  );
  const verified = await verifyHomeserver(old, now, {
    seen: user === undefined ? [] : [user],
    onDifference(difference) {
      if (differences.length === NAMED) return;
      differences.push(difference);
      if (!order.json) sayResult(lineOf(difference));
    },
    onCompared() {
      done++;
      shown.update();
    },
  }).finally(() => shown.end());
  // After the comparison, because it is seen.
  const isAccepted =
    user === undefined || password === undefined ? undefined : await trySignIn(now, user, password);
  const status = verified.unexplained > 0 || isAccepted === false ? FAILED : 0;
  if (order.json) {
    const report = {
      old: old.url,
      new: now.url,
      password_accepted: isAccepted ?? null,
      ...verified,
      differences,
    };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return status;
  }
  sayResult('Compared:');
  for (const [name, count] of Object.entries(verified.compared)) sayResult(`  ${count} ${name}`);
  sayResult('Differences that are meant to be:');
  for (const { path, reason, count } of verified.allowed) sayResult(`  ${count} ${path}: ${reason}`);
  sayResult(`Other differences: ${verified.unexplained}`);
  if (isAccepted !== undefined)
    sayResult(
      isAccepted
        ? `The new server accepts the password of ${order.user}.`
        : `The new server does not accept the password of ${order.user}: is the pepper the one of the old server (passwords.peppers)?`,
    );
  return status;
}

function lineOf({ of, key, path, old, now }: Unexplained): string {
  return `${of}: ${key}: ${path.join('/') || 'all of it'}: ${textOf(old)} on the old server, ${textOf(now)} on the new one`;
}

function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function tokenOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`The token cannot be read from ${file}: ${(error as Error).message}.`, { cause: error });
  }
}

async function passwordOf({ user, passwordFile }: VerifyOrder): Promise<string> {
  if (passwordFile !== undefined) return readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '');
  const prompt = openPrompt();
  try {
    return await prompt.askHidden(`Password of ${user}: `);
  } finally {
    prompt.close();
  }
}

/** Signs a user in and out again. */
async function trySignIn(server: Server, user: string, password: string): Promise<boolean> {
  const answer = await server.post('/_matrix/client/v3/login', {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user },
    password,
  });
  const token = ownString(answer, 'access_token');
  if (token !== undefined) {
    await server.post('/_matrix/client/v3/logout', {}, token);
    return true;
  }
  if (own(answer, 'errcode') === 'M_FORBIDDEN') return false;
  throw new Error(`${user} cannot be signed in at ${server.url}: ${JSON.stringify(answer)}.`);
}
