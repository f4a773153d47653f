import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { PendingAnswers } from './pending-answers.ts';

it('passes answers and failures on, and gives up those that it still waits for', async () => {
  const pending = new PendingAnswers();
  expect(await pending.wait(Promise.resolve('answer'))).toBe('answer');
  await expect(pending.wait(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const late = Promise.withResolvers<string>();
  const waits = [pending.wait(late.promise), pending.wait(new Promise(() => {}))];
  pending.giveUp(new Error('lost'));
  for (const wait of waits) await expect(wait).rejects.toThrow('lost');
  late.reject(new Error('an answer without a waiting call'));
  expect(await pending.wait(Promise.resolve('next'))).toBe('next');
});

it('keeps no answer in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  const pending = new PendingAnswers();
  const answer = new WeakRef(await pending.wait(Promise.resolve({ large: true })));
  await setImmediate();
  collectGarbage();
  expect(answer.deref()).toBeUndefined();
});
