import { TextInput, type TextInputProps } from '@mantine/core';
import { cleanText } from './clean-text.ts';

interface IdInputProps extends Omit<TextInputProps, 'onChange' | 'value'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A field for an id or another text without spaces at its ends, such as an address: without what is not seen of a text that is pasted. */
export function IdInput({ onValue, ...props }: IdInputProps) {
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      onChange={(event) => onValue(cleanText(event.currentTarget.value))}
    />
  );
}
