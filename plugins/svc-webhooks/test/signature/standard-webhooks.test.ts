/** Other implementations of the scheme: they accept what we send over a socket, and we accept what they sign. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { systemClock } from 'svc-kernel'
import { Webhook as SvixWebhook } from 'svix'
import t from 'tap'
import { createTransport } from '../../src/delivery/transport/transport.ts'
import { decodeSecret, generateSecret, signMessage } from '../../src/signature/sign-message.ts'
import { verifyWebhook } from '../../src/signature/verify-webhook.ts'
import { LOOPBACK_POLICY, toLoopback } from '../support/loopback-transport.ts'

const verifiers = [
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook]
] as const

const bodies: readonly [name: string, body: string][] = [
  [
    'an envelope',
    '{"id":"msg_1","timestamp":"2026-01-01T00:00:00.000Z","type":"login.failure","data":{"actor":"alice"}}'
  ],
  ['beyond ASCII', '{"data":{"actor":"Zoé Łukasz 山田 🦊","reason":"\\u2028"}}'],
  ['with spaces and newlines', '{\n  "type": "session.opened"\n}\n'],
  ['64 KB', JSON.stringify({ data: 'x'.repeat(65_536) })]
]

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

t.test('a message of ours, received over a socket, is accepted by each', async (t) => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const transport = createTransport({
    policy: LOOPBACK_POLICY,
    lookup: toLoopback,
    clock: systemClock,
    maxConnections: 2
  })

  for (const [name, text] of bodies) {
    const secret = generateSecret()
    const timestamp = Math.floor(Date.now() / 1000)
    const body = Buffer.from(text)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'msg_-_Zz09',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage(decodeSecret(secret), 'msg_-_Zz09', timestamp, body)
    }
    const result = await transport.send({ url: `http://hooks.example.com:${port}/in`, headers, body }, 10_000)
    t.match(result, { kind: 'answered', status: 200 })
    const message = received.at(-1) as Received
    t.strictSame(message.body, body)
    const plain = Object.fromEntries(Object.entries(message.headers).map(([key, value]) => [key, String(value)]))
    for (const [library, Verifier] of verifiers) {
      t.strictSame(new Verifier(secret).verify(message.body, plain), JSON.parse(text), `${library}: ${name}`)
      t.throws(() => new Verifier(generateSecret()).verify(message.body, plain), `${library}: another secret`)
      const altered = Buffer.concat([message.body, Buffer.from(' ')])
      t.throws(() => new Verifier(secret).verify(altered, plain), `${library}: an altered body`)
    }
    t.equal(verifyWebhook({ secret, headers: message.headers, body: message.body }).id, 'msg_-_Zz09')
  }
  await transport.close()
  server.close()
})

t.test('a message that each signs is accepted by us', async (t) => {
  for (const [library, Signer] of verifiers) {
    for (const [name, body] of bodies) {
      const secret = generateSecret()
      const now = new Date()
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Signer(secret).sign('msg_1', now, body)
      }
      t.equal(verifyWebhook({ secret, headers, body, now: () => now.getTime() }).id, 'msg_1', `${library}: ${name}`)
      t.throws(() => verifyWebhook({ secret: generateSecret(), headers, body }), { code: 'SVC_WEBHOOKS_SIGNATURE' })
    }
  }
})
