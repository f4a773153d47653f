import { toRefusal } from '@steward/errors';
import {
  ProviderFailure,
  type ProviderFailureReason,
} from '../../core/identity-providers/provider-failure.ts';
import { answerPage, type Piece } from './pages.ts';

/** What a user reads of a failure of the provider. */
const FAILURES: Readonly<Record<ProviderFailureReason, { readonly status: number; readonly text: string }>> =
  {
    unreachable: { status: 502, text: 'The identity provider cannot be reached, or does not work.' },
    slow: { status: 504, text: 'The identity provider did not answer in time.' },
    lying: { status: 502, text: 'The identity provider sent an answer that cannot be trusted.' },
    refused: { status: 400, text: 'This sign-in was used before, or took too long.' },
    claims: { status: 403, text: 'The identity provider does not permit you to use this server.' },
  };

/** Answers with what `work` returns; a refusal is a page, because a person reads it in a browser. */
export async function* orPage(
  work: () => Promise<Iterable<Piece>>,
  again?: () => string | undefined,
): AsyncGenerator<Piece> {
  yield* await work().catch((error: unknown) => failurePage(error, again?.()));
}

/** @throws what is neither a refusal nor a failure of the provider */
function failurePage(error: unknown, again: string | undefined): Iterable<Piece> {
  const { status, text } = describe(error);
  const links = again === undefined ? [] : [{ label: 'Sign in again', href: again }];
  const next = again === undefined ? ['Go back to the app, and sign in again.'] : [];
  return answerPage({ status, title: 'The sign-in failed', texts: [text, ...next], links });
}

function describe(error: unknown): { readonly status: number; readonly text: string } {
  if (error instanceof ProviderFailure) return FAILURES[error.reason];
  const { status, message } = toRefusal(error);
  if (status >= 500) throw error;
  return { status, text: `${message}.` };
}
