/** The code of receivers, against the published vectors and what svc-webhooks signs. */
import { readFileSync } from 'node:fs'
import { generateSecret, signMessage } from 'svc-webhooks'
import t from 'tap'
import { EventVerificationError, verifyEvent } from '../src/verify.ts'

const NOW = Date.UTC(2026, 0, 1)
const now = () => NOW
const secret = generateSecret()
const id = 'msg_1'

function signed(body: string, { at = NOW, by = secret, as = id } = {}) {
  const timestamp = Math.floor(at / 1000)
  const key = Buffer.from(by.slice('whsec_'.length), 'base64')
  const headers = {
    'webhook-id': as,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage(key, as, timestamp, body)
  }
  return { headers, body }
}

const body = JSON.stringify({
  id,
  timestamp: new Date(NOW).toISOString(),
  type: 'a',
  event: 'e',
  version: 1,
  data: { ä: 1 }
})

t.test('what svc-webhooks signs, as text, bytes and a request of the web', async (t) => {
  const { headers } = signed(body)
  const expected = JSON.parse(body)
  t.strictSame(await verifyEvent({ headers, body }, secret, { now }), expected)
  t.strictSame(await verifyEvent({ headers, body: Buffer.from(body) }, secret, { now }), expected)
  const request = new Request('https://acme.example/in', { method: 'POST', headers, body })
  t.strictSame(await verifyEvent(request, [generateSecret(), secret], { now }), expected)
  const both = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature']}` }
  t.strictSame(await verifyEvent({ headers: both, body }, secret, { now }), expected, 'one of several signatures')
})

t.test('what is refused, and why', async (t) => {
  const good = signed(body)
  const without = (name: string) => ({ ...good, headers: { ...good.headers, [name]: undefined } })
  const rows: [string, Parameters<typeof verifyEvent>[0], EventVerificationError['reason'], number][] = [
    ['no id', without('webhook-id'), 'headers', 400],
    ['no timestamp', without('webhook-timestamp'), 'headers', 400],
    ['no signature', without('webhook-signature'), 'headers', 400],
    ['an id with a full stop', signed(body, { as: 'a.b' }), 'headers', 400],
    ['too old', signed(body, { at: NOW - 301_000 }), 'stale', 400],
    ['from the future', signed(body, { at: NOW + 301_000 }), 'stale', 400],
    ['another secret', signed(body, { by: generateSecret() }), 'signature', 401],
    ['another body', { ...good, body: `${body} ` }, 'signature', 401],
    ['another message under this id', signed(body, { as: 'msg_2' }), 'body', 400],
    ['no JSON', signed('hello'), 'body', 400],
    ['no message', signed('null'), 'body', 400]
  ]
  for (const [what, request, reason, status] of rows) {
    const error = await verifyEvent(request, secret, { now }).catch((thrown: unknown) => thrown)
    t.type(error, EventVerificationError, what)
    t.match(error, { reason, status }, what)
    t.notMatch(String(error), secret.slice(6))
  }
  for (const wrong of ['', 'whsec_', 'whsec_ä', undefined as never, []]) {
    await t.rejects(verifyEvent(good, wrong, { now }), TypeError)
  }
  await t.rejects(verifyEvent({ headers: good.headers, body: {} as never }, secret, { now }), TypeError)
})

interface Vector {
  readonly name: string
  readonly secret: string
  readonly id: string
  readonly timestamp: number
  readonly body: string
  readonly signature: string
  readonly expect: 'accept' | 'reject'
  readonly now?: number
}

t.test('the published vectors', async (t) => {
  const published = new URL('../../../../test/vectors/signature-vectors.json', import.meta.url)
  const vectors = JSON.parse(readFileSync(published, 'utf8')) as Vector[]
  t.equal(vectors.length, 28)
  for (const { name, secret, id, timestamp, body, signature, expect, now = timestamp } of vectors) {
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
    const end = await verifyEvent({ headers, body }, secret, { now: () => now * 1000 }).catch(
      (thrown: unknown) => thrown
    )
    // Most bodies are no message of an event, which is found once the signature is proved.
    const isProved = !(end instanceof Error) || (end instanceof EventVerificationError && end.reason === 'body')
    t.equal(isProved, expect === 'accept', name)
  }
})
