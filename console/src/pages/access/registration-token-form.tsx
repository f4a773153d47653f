import { NumberInput, TextInput } from '@mantine/core';
import type { RegistrationToken } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IdInput } from '../../ui/input/id-input.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';

const TOKEN = /^[\w.~-]{1,64}$/;
const MINUTE_MS = 60_000;
/** Without seconds, as fields for date and time have it. */
const LOCAL_LENGTH = 'YYYY-MM-DDThh:mm'.length;

/** Creates a token for registrations. */
export function CreateRegistrationToken() {
  const { t } = useTranslation('access');
  const [token, setToken] = useState('');
  const [limits, setLimits] = useState(NO_LIMITS);
  const valid = token === '' || TOKEN.test(token);
  return (
    <OrderButton
      operation="registrationTokens.create"
      title={t('create_registration_token')}
      consequences={[t('create_registration_token_effect')]}
      params={valid ? { ...(token === '' ? {} : { token }), ...valuesOf(limits) } : undefined}
      onClosed={() => {
        setToken('');
        setLimits(NO_LIMITS);
      }}
      button={{ variant: 'filled' }}
    >
      <IdInput
        label={t('registration_token')}
        description={t('registration_token_hint')}
        value={token}
        onValue={setToken}
        error={valid ? undefined : t('registration_token_wrong')}
        data-autofocus
      />
      <LimitFields limits={limits} onChange={setLimits} />
    </OrderButton>
  );
}

/** Changes how often and until when a token can be used. */
export function EditRegistrationToken({ token }: { readonly token: RegistrationToken }) {
  const { t } = useTranslation('access');
  const [draft, setDraft] = useState<Limits>();
  const present = limitsOf(token);
  const limits = draft ?? present;
  const values = valuesOf(limits);
  const change = {
    ...(limits.uses === present.uses ? {} : { uses_allowed: values.uses_allowed }),
    ...(limits.expires === present.expires ? {} : { expiry_time: values.expiry_time }),
  };
  return (
    <OrderButton
      operation="registrationTokens.update"
      title={t('edit_registration_token')}
      text={t('edit')}
      consequences={[]}
      params={Object.keys(change).length === 0 ? undefined : { token: token.token, ...change }}
      onClosed={() => setDraft(undefined)}
      label={t('save')}
      button={{ size: 'compact-xs' }}
    >
      <LimitFields limits={limits} onChange={setDraft} />
    </OrderButton>
  );
}

interface Limits {
  readonly uses: number | string;
  /** A local date and time. */
  readonly expires: string;
}

const NO_LIMITS: Limits = { uses: '', expires: '' };

interface LimitFieldsProps {
  readonly limits: Limits;
  readonly onChange: (limits: Limits) => void;
}

function LimitFields({ limits, onChange }: LimitFieldsProps) {
  const { t } = useTranslation('access');
  return (
    <>
      <NumberInput
        label={t('uses_allowed')}
        description={t('uses_allowed_hint')}
        value={limits.uses}
        onChange={(uses) => onChange({ ...limits, uses })}
        min={0}
        allowDecimal={false}
      />
      <TextInput
        type="datetime-local"
        label={t('expires')}
        description={t('expiry_hint')}
        value={limits.expires}
        onChange={(event) => onChange({ ...limits, expires: event.currentTarget.value })}
      />
    </>
  );
}

function valuesOf({ uses, expires }: Limits) {
  return {
    uses_allowed: uses === '' ? null : Number(uses),
    expiry_time: expires === '' ? null : Date.parse(expires),
  };
}

function limitsOf({ uses_allowed: uses, expiry_time: ms }: RegistrationToken): Limits {
  if (ms === null) return { uses: uses ?? '', expires: '' };
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS);
  return { uses: uses ?? '', expires: local.toISOString().slice(0, LOCAL_LENGTH) };
}
