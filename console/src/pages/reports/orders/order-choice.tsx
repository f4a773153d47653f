import { Badge, Button, Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/use-can.ts';
import { useMe } from '../../../session/use-session.ts';
import type { Case } from '../desk/case-orders.ts';
import {
  fieldsOf,
  flagOf,
  isAgainstOneself,
  isFinal,
  isFlag,
  isMissing,
  type OrderDraft,
  type OrderField,
  type OrderKind,
  scopesOfField,
  targetOf,
} from './order-kinds.ts';

interface OrderChoiceProps {
  readonly kind: OrderKind;
  /** The order, if it is chosen. */
  readonly draft: OrderDraft | undefined;
  readonly current: Case;
  readonly onToggle: (chosen: boolean) => void;
  readonly onChange: (draft: OrderDraft) => void;
}

/** One order of a decision: whether it is given, and its fields. What is known from the case is shown when it is asked for. */
export function OrderChoice({ kind, draft, current, onToggle, onChange }: OrderChoiceProps) {
  const { t } = useTranslation('reports');
  const can = useCan();
  const me = useMe();
  const [detailed, setDetailed] = useState(false);
  const fields =
    draft === undefined
      ? []
      : fieldsOf(draft, current).filter((field) => can('reports.resolve', ...scopesOfField(kind, field)));
  const empty = draft && { ...draft, texts: {} };
  const isNeeded = (field: OrderField) => empty !== undefined && isMissing(empty, field, current);
  const shown = fields.filter((field) => detailed || isNeeded(field));
  return (
    <Stack gap={6}>
      <Checkbox
        size="sm"
        checked={draft !== undefined}
        onChange={(event) => onToggle(event.currentTarget.checked)}
        label={
          <>
            {t(`order_${kind}`)}{' '}
            {isFinal(kind) && (
              <Badge size="xs" variant="outline" color="red" tt="none">
                {t('order_final')}
              </Badge>
            )}
          </>
        }
      />
      {draft !== undefined && fields.length > 0 && (
        <Stack gap="xs" pl={28}>
          {isAgainstOneself(draft, current, me.user_id) && (
            <Text size="sm" c="red">
              {t('order_oneself')}
            </Text>
          )}
          {shown.map((field) => (
            <OrderFieldInput
              key={field}
              field={field}
              draft={draft}
              current={current}
              required={isNeeded(field)}
              onChange={onChange}
            />
          ))}
          {fields.some((field) => !isNeeded(field)) && (
            <Button
              size="compact-xs"
              variant="subtle"
              w="fit-content"
              aria-expanded={detailed}
              aria-label={t('order_details', { name: t(`order_${kind}`) })}
              onClick={() => setDetailed(!detailed)}
            >
              {t(detailed ? 'details_hide' : 'details_show')}
            </Button>
          )}
        </Stack>
      )}
    </Stack>
  );
}

interface OrderFieldInputProps {
  readonly field: OrderField;
  readonly draft: OrderDraft;
  readonly current: Case;
  readonly required: boolean;
  readonly onChange: (draft: OrderDraft) => void;
}

const MAX_CHARACTERS: Partial<Record<OrderField, number>> = { text: 4_000, message: 4_000 };
const DEFAULT_MAX = 1_000;

function OrderFieldInput({ field, draft, current, required, onChange }: OrderFieldInputProps) {
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
    required,
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
