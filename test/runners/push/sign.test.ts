import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signedHeaders } from '../../../src/runners/push/sign.ts'

const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('the signature of a delivery', () => {
  test('is that of the example of Standard Webhooks', () => {
    expect(signedHeaders(message, [secret])).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('has one part for each secret, and takes a secret without prefix as it is', () => {
    const signature = String(signedHeaders(message, [secret, 'plain'])['webhook-signature'])
    const own = createHmac('sha256', 'plain')
      .update(`${message.id}.${message.timestamp}.${message.body}`)
      .digest('base64')

    expect(signature.split(' ')).toEqual([
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      `v1,${own}`,
    ])
  })
})
