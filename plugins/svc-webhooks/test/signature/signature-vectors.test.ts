/** The published signature vectors: what is produced, what is accepted, what is refused. They never change. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { decodeSecret, signMessage } from '../../src/signature/sign-message.ts'
import { verifyWebhook, WebhookVerificationError } from '../../src/signature/verify-webhook.ts'

interface Vector {
  readonly name: string
  readonly secret: string
  readonly id: string
  readonly timestamp: number
  readonly body: string
  readonly signature: string
  readonly expect: 'accept' | 'reject'
  /** Epoch seconds of the receiver; the time of the message where absent. */
  readonly now?: number
}

const published = new URL('../../../../../test/vectors/signature-vectors.json', import.meta.url)
const vectors = JSON.parse(readFileSync(published, 'utf8')) as Vector[]

t.equal(vectors.length, 28)

for (const vector of vectors) {
  const { name, secret, id, timestamp, body, signature, now = timestamp } = vector
  const verify = (bytes: string | Uint8Array) =>
    verifyWebhook({
      secret,
      headers: { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
      body: bytes,
      now: () => now * 1000
    })

  t.test(`${vector.expect}: ${name}`, async (t) => {
    for (const bytes of [body, Buffer.from(body), new Uint8Array(Buffer.from(body))]) {
      if (vector.expect === 'accept') t.strictSame(verify(bytes), { id, timestamp })
      else t.throws(() => verify(bytes), WebhookVerificationError)
    }
  })

  // One signature that is accepted is the one that we would have sent.
  if (vector.expect === 'accept' && /^v1,\S+$/.test(signature)) {
    t.equal(signMessage(decodeSecret(secret), id, timestamp, body), signature, `signs: ${name}`)
    t.equal(signMessage(decodeSecret(secret), id, timestamp, Buffer.from(body)), signature, `signs bytes: ${name}`)
  }
}
