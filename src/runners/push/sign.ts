import { createHmac } from 'node:crypto'

/** A message as Standard Webhooks signs it: its id, its time in seconds, and its body, byte for byte. */
export interface SignedMessage {
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

const prefix = 'whsec_'

/**
 * The headers of a delivery, signed with each secret. A receiver that rotates its secret accepts one of the signatures.
 */
export function signedHeaders(
  message: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${sign(message, secret)}`).join(' '),
  }
}

function sign({ id, timestamp, body }: SignedMessage, secret: string): string {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
}

/** The part after `whsec_` is the key in base64. Any other text is the key itself. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), 'base64')
    : Buffer.from(secret, 'utf8')
}
