import { Alert, List, TextInput } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';

interface ConsequencesProps {
  /** What the order does, each consequence a sentence. */
  readonly consequences: readonly string[];
  readonly danger: boolean;
}

/** What an order does, before it can be sent. */
export function Consequences({ consequences, danger }: ConsequencesProps) {
  const { t } = useTranslation();
  if (consequences.length === 0) return null;
  return (
    <Alert
      color={danger ? 'red' : 'blue'}
      variant="outline"
      icon={danger ? <TriangleAlert aria-hidden /> : undefined}
      title={t('order.consequences')}
    >
      <List size="sm">
        {consequences.map((each) => (
          <List.Item key={each}>{each}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

interface TextFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Asks the user to type a text before what cannot be taken back. */
export function TypedConfirmation({ text, value, onChange }: TextFieldProps & { readonly text: string }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('order.type_to_confirm', { text })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** Asks for the reason of an order. */
export function ReasonField({
  value,
  onChange,
  first = false,
}: TextFieldProps & { readonly first?: boolean }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('order.reason')}
      description={t('order.reason_hint')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={500}
      data-autofocus={first || undefined}
    />
  );
}
