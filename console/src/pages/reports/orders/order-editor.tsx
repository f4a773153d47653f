import { ActionIcon, Checkbox, Fieldset, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useMe } from '../../../session/use-session.ts';
import type { Case } from '../desk/case-orders.ts';
import {
  fieldsOf,
  flagOf,
  isAgainstOneself,
  isFlag,
  isMissing,
  type OrderDraft,
  type OrderField,
  scopesOfField,
  targetOf,
} from './order-kinds.ts';
import { useOrderWords } from './use-order-words.ts';

interface OrderEditorProps {
  readonly draft: OrderDraft;
  /** Its place among the orders of the decision, from 1. */
  readonly place: number;
  readonly last: boolean;
  readonly current: Case;
  readonly onChange: (draft: OrderDraft) => void;
  readonly onRemove: () => void;
  /** Moves it by one: -1 for up. */
  readonly onMove: (by: -1 | 1) => void;
}

/** The fields of one order of a decision. */
export function OrderEditor(props: OrderEditorProps) {
  const { draft, place, last, current, onChange, onRemove, onMove } = props;
  const { t } = useTranslation('reports');
  const can = useCan();
  const me = useMe();
  const wordsOf = useOrderWords(current);
  const name = t(`order_${draft.kind}`);
  const fields = fieldsOf(draft, current).filter((field) =>
    can('reports.resolve', ...scopesOfField(draft.kind, field)),
  );
  return (
    <Fieldset legend={`${place}. ${name}`}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {wordsOf(draft)}
          </Text>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={place === 1}
              onClick={() => onMove(-1)}
              aria-label={t('order_up', { name })}
            >
              <ArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={last}
              onClick={() => onMove(1)}
              aria-label={t('order_down', { name })}
            >
              <ArrowDown size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red"
              onClick={onRemove}
              aria-label={t('order_remove', { name })}
            >
              <Trash2 size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
        {isAgainstOneself(draft, current, me.user_id) && (
          <Text size="sm" c="red">
            {t('order_oneself')}
          </Text>
        )}
        {fields.map((field) => (
          <OrderFieldInput key={field} field={field} draft={draft} current={current} onChange={onChange} />
        ))}
      </Stack>
    </Fieldset>
  );
}

interface OrderFieldInputProps {
  readonly field: OrderField;
  readonly draft: OrderDraft;
  readonly current: Case;
  readonly onChange: (draft: OrderDraft) => void;
}

const MAX_CHARACTERS: Partial<Record<OrderField, number>> = { text: 4_000, message: 4_000 };
const DEFAULT_MAX = 1_000;

function OrderFieldInput({ field, draft, current, onChange }: OrderFieldInputProps) {
  const { t } = useTranslation('reports');
  const label = t(`field_${field}`);
  if (isFlag(field)) {
    return (
      <Checkbox
        size="sm"
        label={label}
        checked={flagOf(draft, field)}
        onChange={(event) =>
          onChange({ ...draft, flags: { ...draft.flags, [field]: event.currentTarget.checked } })
        }
      />
    );
  }
  const change = (value: string) => onChange({ ...draft, texts: { ...draft.texts, [field]: value } });
  const common = {
    size: 'xs',
    label,
    value: draft.texts[field] ?? '',
    maxLength: MAX_CHARACTERS[field] ?? DEFAULT_MAX,
    required: isMissing({ ...draft, texts: {} }, field, current),
  } as const;
  if (field === 'text' || field === 'message')
    return (
      <Textarea {...common} autosize minRows={2} onChange={(event) => change(event.currentTarget.value)} />
    );
  return (
    <TextInput
      {...common}
      placeholder={targetOf({ ...draft, texts: {} }, field, current)}
      description={field === 'reason' ? t('field_reason_hint') : undefined}
      onChange={(event) => change(event.currentTarget.value)}
      spellCheck={field === 'reason' || field === 'room_name'}
      autoComplete="off"
    />
  );
}
