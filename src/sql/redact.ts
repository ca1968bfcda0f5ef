/** Passwords as they stand in connection strings and settings; what is around them stays readable. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/(\bpostgres[\w+]*:\/\/[^\s:@]*):\S*@/gi, '$1:***@'],
  [/([?&](?:password|sslpassword)=)[^\s&"]+/gi, '$1***'],
  // Not again what the line before has hidden, and what follows it in a URI.
  [
    /\b(password|passwd|pwd|sslpassword)(\s*=\s*)('(?:[^'\\]|\\.)*'|(?!\*\*\*)(?:\\.|[^\s"\\])+)/gi,
    '$1$2***',
  ],
]

/** Text that may be shown: a password that got into it is taken out. */
export function redact(text: string): string {
  if (!/:\/\/|pass|pwd/i.test(text)) return text
  return secrets.reduce((shown, [secret, instead]) => shown.replace(secret, instead), text)
}

/** Whether the value of a connection's option is for nobody to see. */
export function isSecret(option: string): boolean {
  return /passw|pwd|secret|_key$/i.test(option)
}
