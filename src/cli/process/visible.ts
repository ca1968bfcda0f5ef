/** A text on one line, without what would move the cursor or colour the terminal. */
export function visible(text: string): string {
  return harmless(text).replaceAll('\n', '↵').replaceAll('\t', '⇥')
}

/** A text that keeps its lines and tabs, without what would move the cursor back or colour the terminal. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '·')
}
