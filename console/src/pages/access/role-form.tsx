import { TextInput } from '@mantine/core';
import type { Role } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../session/use-session.ts';
import { IdInput } from '../../ui/input/id-input.tsx';
import { OrderButton } from '../../ui/order/order-button.tsx';
import { ScopeChoice } from '../../ui/scopes/scope-choice.tsx';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const MAX_DESCRIPTION = 256;

/** Creates a role from scopes that the user has. */
export function CreateRole() {
  const { t } = useTranslation('access');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const { scopes: own } = useMe();
  const valid = NAME.test(name);
  return (
    <OrderButton
      operation="roles.create"
      title={t('create_role')}
      consequences={[t('create_role_effect')]}
      params={valid ? { name, description, scopes } : undefined}
      onClosed={() => {
        setName('');
        setDescription('');
        setScopes([]);
      }}
      button={{ variant: 'filled' }}
    >
      <IdInput
        label={t('role_name')}
        description={t('role_name_hint')}
        value={name}
        onValue={setName}
        error={name !== '' && !valid ? t('role_name_wrong') : undefined}
        required
        data-autofocus
      />
      <Description value={description} onChange={setDescription} />
      <ScopeChoice label={t('scopes')} scopes={own} chosen={scopes} onChange={setScopes} />
    </OrderButton>
  );
}

/** Changes what a role is for and which scopes it contains. */
export function EditRole({ role }: { readonly role: Role }) {
  const { t } = useTranslation('access');
  const [draft, setDraft] = useState<{ readonly description: string; readonly scopes: readonly string[] }>();
  const { scopes: own } = useMe();
  const { name, holders, tokens } = role;
  const { description, scopes } = draft ?? role;
  const change = {
    ...(description === role.description ? {} : { description }),
    ...(sameTexts(scopes, role.scopes) ? {} : { scopes }),
  };
  return (
    <OrderButton
      operation="roles.update"
      title={t('edit_role', { name })}
      text={t('edit')}
      consequences={[t('edit_role_effect', { holders, tokens })]}
      params={Object.keys(change).length === 0 ? undefined : { name, ...change }}
      onClosed={() => setDraft(undefined)}
      button={{ size: 'compact-xs' }}
      label={t('save')}
    >
      <Description value={description} onChange={(next) => setDraft({ description: next, scopes })} />
      <ScopeChoice
        label={t('scopes')}
        scopes={own}
        chosen={scopes}
        onChange={(next) => setDraft({ description, scopes: next })}
      />
    </OrderButton>
  );
}

interface DescriptionProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Description({ value, onChange }: DescriptionProps) {
  const { t } = useTranslation('access');
  return (
    <TextInput
      label={t('description')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={MAX_DESCRIPTION}
    />
  );
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}
