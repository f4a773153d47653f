import { Textarea } from '@mantine/core';
import { cleanText } from '../../ui/input/clean-text.ts';

interface LinesFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Asks for any number of texts, one a line. */
export function LinesField({ label, description, value, onChange }: LinesFieldProps) {
  return (
    <Textarea
      label={label}
      description={description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}

/** Returns the texts of a field. */
export function linesOf(value: string): readonly string[] {
  return value
    .split(/[\n,]/)
    .map(cleanText)
    .filter((line) => line !== '');
}
