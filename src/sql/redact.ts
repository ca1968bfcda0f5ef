/** Passwords as they stand in connection strings and settings; what is around them stays readable. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/(\bpostgres(?:ql)?:\/\/[^\s:@/]*):\S*@/gi, '$1:***@'],
  [/\b(password|passwd|pwd|sslpassword)(\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&,;)]+)/gi, '$1$2***'],
]

/** Text that may be shown: a password that got into it is taken out. */
export function redact(text: string): string {
  if (!/:\/\/|pass|pwd/i.test(text)) return text
  return secrets.reduce((shown, [secret, instead]) => shown.replace(secret, instead), text)
}
