import { Button, Loader, Stack } from '@mantine/core';
import { type SessionsCreateParams, StewardError } from '@steward/sdk';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../client/client.ts';
import { providerAnswer } from '../session/provider-answer.ts';
import { CodeInput, SignInError } from './credentials-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PASSKEY, stagesOf, TOTP } from './stages.ts';

interface ProviderSignInProps {
  readonly onSignedIn: () => Promise<void>;
}

interface Provider {
  readonly id: string;
  readonly name: string;
}

const STEP_UP = 'STEWARD_STEP_UP_REQUIRED';

/** A button for passkeys, and one for each identity provider; after its answer, what the session still needs. */
export function ProviderSignIn({ onSignedIn }: ProviderSignInProps) {
  const { t } = useTranslation('session');
  const [token, setToken] = useState(providerAnswer.token);
  const [error, setError] = useState<unknown>();
  const [providers, setProviders] = useState<readonly Provider[]>([]);
  const [hasPasskeys, setHasPasskeys] = useState(false);

  useEffect(() => {
    const read = async () => {
      try {
        const offered = await client.providerSignIns.getSignInProviders({});
        setProviders(offered.providers);
        setHasPasskeys(offered.passkeys);
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
      {hasPasskeys && (
        <PasskeyButton
          text={t('with_passkey')}
          purpose="sign-in"
          onProved={async (passkey) => {
            await client.sessions.create({ passkey });
            await onSignedIn();
          }}
          onRefused={setError}
        />
      )}
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
  const [stages, setStages] = useState<readonly string[]>([]);
  const [pending, setPending] = useState(true);

  async function signIn(factor: Pick<SessionsCreateParams, 'totp' | 'recovery_code' | 'passkey'>) {
    setPending(true);
    try {
      await client.sessions.create({ login_token: token, ...factor });
      providerAnswer.forget();
      await onSignedIn();
    } catch (refusal) {
      setPending(false);
      if (refusal instanceof StewardError && refusal.errcode === STEP_UP) setStages(stagesOf(refusal));
      else onRefused(refusal);
    }
  }

  useEffect(() => void signIn({}), [token]);

  if (stages.length === 0) return <Loader aria-label={t('submit')} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void signIn(recovery ? { recovery_code: code } : { totp: code });
      }}
    >
      <Stack>
        {stages.includes(TOTP) && (
          <>
            <CodeInput recovery={recovery} code={code} onCode={setCode} onKind={setRecovery} />
            <Button type="submit" loading={pending}>
              {t('submit')}
            </Button>
          </>
        )}
        {stages.includes(PASSKEY) && (
          <PasskeyButton
            text={t('with_own_passkey')}
            purpose="sign-in"
            onProved={(passkey) => signIn({ passkey })}
            onRefused={onRefused}
          />
        )}
      </Stack>
    </form>
  );
}
