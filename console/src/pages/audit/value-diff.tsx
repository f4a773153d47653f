import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Former } from './former-values.ts';

interface ValueDiffProps {
  readonly former: Former | undefined;
  readonly value: unknown;
}

/** A value that was set: what of it is new, and what it replaced. */
export function ValueDiff({ former, value }: ValueDiffProps) {
  const { t } = useTranslation('audit');
  if (former === undefined) return <Value value={value} />;
  if (textOf(former.value) === textOf(value)) {
    return (
      <>
        <Value value={value} />
        <Text size="xs">{t('unchanged')}</Text>
      </>
    );
  }
  if (isTexts(former.value) && isTexts(value)) return <ListDiff before={former.value} after={value} />;
  return (
    <Stack gap={0}>
      <Line kind="removed" value={former.value} />
      <Line kind="added" value={value} />
    </Stack>
  );
}

interface ListDiffProps {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function ListDiff({ before, after }: ListDiffProps) {
  return (
    <Stack gap={0}>
      {before
        .filter((each) => !after.includes(each))
        .map((each) => (
          <Line key={each} kind="removed" value={each} />
        ))}
      {after.map((each) =>
        before.includes(each) ? (
          <Value key={each} value={each} />
        ) : (
          <Line key={each} kind="added" value={each} />
        ),
      )}
    </Stack>
  );
}

interface LineProps {
  readonly kind: 'added' | 'removed';
  readonly value: unknown;
}

/** A line of a diff. The sign and the name for readers of the screen say what the colour says. */
function Line({ kind, value }: LineProps) {
  const { t } = useTranslation('audit');
  const Element = kind === 'added' ? 'ins' : 'del';
  return (
    <Element className={`diff diff-${kind}`}>
      <span aria-hidden>{kind === 'added' ? '+ ' : '− '}</span>
      <span className="visually-hidden">{t(kind)}: </span>
      <bdi>{textOf(value)}</bdi>
    </Element>
  );
}

function Value({ value }: { readonly value: unknown }) {
  return (
    <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      <bdi>{textOf(value)}</bdi>
    </Text>
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '');
}
