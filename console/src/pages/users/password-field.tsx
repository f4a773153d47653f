import { Button, Group, PasswordInput } from '@mantine/core';
import { Dices } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-button.tsx';
import { generatePassword } from './generate-password.ts';

interface PasswordFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description?: string | undefined;
  readonly required?: boolean;
}

/** A new password for an account: typed, or made here. */
export function PasswordField({ value, onChange, description, required = false }: PasswordFieldProps) {
  const { t } = useTranslation('users');
  const [visible, setVisible] = useState(false);
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <PasswordInput
        label={t('password')}
        description={description}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        maxLength={512}
        autoComplete="new-password"
        required={required}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{
          'aria-label': t('password_reveal'),
          'aria-hidden': false,
          tabIndex: 0,
        }}
        style={{ flex: 1 }}
      />
      <Button
        variant="default"
        leftSection={<Dices size={16} aria-hidden />}
        onClick={() => {
          onChange(generatePassword());
          // It is passed on to the user: its maker must be able to read it.
          setVisible(true);
        }}
      >
        {t('password_generate')}
      </Button>
      {value !== '' && <CopyButton text={value} />}
    </Group>
  );
}
