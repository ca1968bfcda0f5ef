/**
 * Quotes a text as one word of a command, for Unix and Windows shells alike. Returns it unchanged if no character is
 * special.
 */
export function quoteForShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`
}
