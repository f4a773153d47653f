import { Button, Loader, Stack } from '@mantine/core';
import { StewardError } from '@steward/sdk';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../client/client.ts';
import { providerAnswer } from '../session/provider-answer.ts';
import { CodeInput, SignInError } from './credentials-form.tsx';

interface ProviderSignInProps {
  readonly onSignedIn: () => Promise<void>;
}

interface Provider {
  readonly id: string;
  readonly name: string;
}

const STEP_UP = 'STEWARD_STEP_UP_REQUIRED';

/** A button for each identity provider; after its answer, what the session still needs. */
export function ProviderSignIn({ onSignedIn }: ProviderSignInProps) {
  const { t } = useTranslation('session');
  const [token, setToken] = useState(providerAnswer.token);
  const [error, setError] = useState<unknown>();
  const [providers, setProviders] = useState<readonly Provider[]>([]);

  useEffect(() => {
    const read = async () => {
      try {
        setProviders((await client.providerSignIns.getSignInProviders({})).providers);
      } catch {
        // The way in with a password stays.
      }
    };
    void read();
  }, []);

  function onRefused(refusal: unknown) {
    providerAnswer.forget();
    setToken(undefined);
    setError(refusal);
  }

  if (token !== undefined) return <Answered token={token} onSignedIn={onSignedIn} onRefused={onRefused} />;
  return (
    <Stack>
      {error !== undefined && <SignInError error={error} />}
      {providers.map(({ id, name }) => (
        <Button key={id} variant="default" onClick={() => providerAnswer.begin(id)}>
          {t('with_provider', { name })}
        </Button>
      ))}
    </Stack>
  );
}

interface AnsweredProps extends ProviderSignInProps {
  readonly token: string;
  readonly onRefused: (refusal: unknown) => void;
}

/** Begins the session of a login token, with a code if the account has a second factor. */
function Answered({ token, onSignedIn, onRefused }: AnsweredProps) {
  const { t } = useTranslation('session');
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const [pending, setPending] = useState(true);

  async function signIn(factor: { readonly totp?: string; readonly recovery_code?: string }) {
    setPending(true);
    try {
      await client.sessions.create({ login_token: token, ...factor });
      providerAnswer.forget();
      await onSignedIn();
    } catch (refusal) {
      setPending(false);
      if (refusal instanceof StewardError && refusal.errcode === STEP_UP) setNeedsCode(true);
      else onRefused(refusal);
    }
  }

  useEffect(() => void signIn({}), [token]);

  if (!needsCode) return <Loader aria-label={t('submit')} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void signIn(recovery ? { recovery_code: code } : { totp: code });
      }}
    >
      <Stack>
        <CodeInput recovery={recovery} code={code} onCode={setCode} onKind={setRecovery} />
        <Button type="submit" loading={pending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}
