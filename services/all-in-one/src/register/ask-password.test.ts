import { expect, it } from 'vitest';
import { askPassword } from './ask-password.ts';

/** A prompt that gets answers, and the questions that it asked. */
function promptWith(isTerminal: boolean, ...answers: string[]) {
  const questions: string[] = [];
  const askHidden = async (question: string) => {
    questions.push(question);
    return answers.shift() ?? '';
  };
  return { isTerminal, askHidden, questions };
}

it('the password is asked for twice on a terminal', async () => {
  const prompt = promptWith(true, 'wonderland', 'wonderland');
  expect(await askPassword(prompt)).toBe('wonderland');
  expect(prompt.questions).toHaveLength(2);
});

it('the password is refused when it was mistyped', async () => {
  await expect(askPassword(promptWith(true, 'wonderland', 'wonderlamd'))).rejects.toThrow('differ');
});

it('the password is one line of other input', async () => {
  const prompt = promptWith(false, 'wonderland', 'another line');
  expect(await askPassword(prompt)).toBe('wonderland');
  expect(prompt.questions).toHaveLength(1);
});
