import { createHmac } from 'node:crypto'

/** A message as Standard Webhooks signs it: its id, its time in seconds, and its body byte for byte. */
export interface SignedMessage {
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

const prefix = 'whsec_'

/** The headers of a delivery, signed with each secret: a receiver that rotates its secret accepts one of them. */
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

/** `whsec_` is followed by the key in base64; any other text is the key itself. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), 'base64')
    : Buffer.from(secret, 'utf8')
}
