import { explanationOf } from '../ui/errors/refusals.ts';

/** A sentence of the sign-in page: of its own messages, or of those of all pages. */
export type SignInRefusal =
  | 'session:wrong'
  | 'session:not_permitted'
  | 'session:throttled'
  | 'session:failed'
  | 'session:provider_again'
  | `common:error.${'expired' | 'limited_credential' | 'locked' | 'network' | 'suspended'}`;

const UNAUTHENTICATED = 401;
const FORBIDDEN = 403;
const TOO_MANY = 429;

/** Returns why a sign-in was refused. Which of name, password and code is wrong is not disclosed. */
export function signInRefusalOf(refusal: {
  readonly status: number;
  readonly errcode: string;
  readonly message: string;
}): SignInRefusal {
  const explanation = explanationOf(refusal);
  switch (explanation) {
    case 'expired':
    case 'limited_credential':
    case 'locked':
    case 'network':
    case 'suspended':
      return `common:error.${explanation}`;
  }
  if (refusal.status === TOO_MANY) return 'session:throttled';
  if (refusal.status === FORBIDDEN && /login token/i.test(refusal.message)) return 'session:provider_again';
  if (refusal.status === FORBIDDEN && /role|scope|administrator/i.test(refusal.message))
    return 'session:not_permitted';
  return refusal.status === UNAUTHENTICATED || refusal.status === FORBIDDEN
    ? 'session:wrong'
    : 'session:failed';
}
