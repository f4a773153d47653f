import { expect, it } from 'vitest';
import { remembered } from './remembered.ts';

/** A question whose answers the test gives, and a time that it sets. */
function asked() {
  const questions: PromiseWithResolvers<number>[] = [];
  const deadlines: (() => void)[] = [];
  let time = 0;
  const read = remembered(
    () => {
      const question = Promise.withResolvers<number>();
      questions.push(question);
      return question.promise;
    },
    {
      now: () => time,
      wait: () => new Promise<void>((resolve) => deadlines.push(resolve)),
    },
  );
  return {
    read,
    questions,
    passDeadlines() {
      for (const pass of deadlines.splice(0)) pass();
    },
    setTime: (ms: number) => {
      time = ms;
    },
  };
}

it('keeps an answer for a while, and asks once for all who read at a time', async () => {
  const { read, questions, setTime } = asked();
  const both = Promise.all([read(), read()]);
  questions[0]?.resolve(7);
  expect(await both).toEqual([7, 7]);
  setTime(14_999);
  expect(await read()).toBe(7);
  expect(questions).toHaveLength(1);
  setTime(15_000);
  const next = read();
  questions[1]?.resolve(8);
  expect(await next).toBe(8);
});

it('waits for an answer no longer than the deadline, asks nothing else, and keeps the late answer', async () => {
  const { read, questions, passDeadlines } = asked();
  const late = read();
  passDeadlines();
  await expect(late).rejects.toThrow('No answer in time');
  const later = read();
  passDeadlines();
  await expect(later).rejects.toThrow('No answer in time');
  expect(questions).toHaveLength(1);
  questions[0]?.resolve(7);
  expect(await read()).toBe(7);
  expect(questions).toHaveLength(1);
});

it('keeps a failure that came after the deadline, because the question is costly', async () => {
  const { read, questions, passDeadlines, setTime } = asked();
  const late = read();
  passDeadlines();
  await expect(late).rejects.toThrow('No answer in time');
  setTime(2_000);
  questions[0]?.reject(new Error('given up'));
  await expect(read()).rejects.toThrow('given up');
  setTime(16_999);
  await expect(read()).rejects.toThrow('given up');
  expect(questions).toHaveLength(1);
  setTime(17_000);
  const next = read();
  questions[1]?.resolve(1);
  expect(await next).toBe(1);
});

it('asks again after a failure', async () => {
  const { read, questions } = asked();
  const failed = read();
  questions[0]?.reject(new Error('away'));
  await expect(failed).rejects.toThrow('away');
  const next = read();
  questions[1]?.resolve(1);
  expect(await next).toBe(1);
});
