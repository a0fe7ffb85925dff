/** The check before each attempt, and that a connection goes to what was checked: no earlier answer, no other address. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import t from 'tap'
import type { Lookup } from '../../../src/ssrf/lookup.ts'
import { DEADLINE_MS, deliveryTo, loopbackTransport, toLoopback } from '../../support/loopback-transport.ts'
import { answer, RawReceiver } from '../../support/raw-receiver.ts'

const accepting = () => RawReceiver.start((socket) => socket.write(answer(200)))

/** A resolver that gives one answer after the other, and the last one for good. */
function resolving(...answers: (string[] | Error)[]): Lookup {
  let asked = 0
  return async () => {
    const found = answers[Math.min(asked, answers.length - 1)] as string[] | Error
    asked += 1
    if (found instanceof Error) throw found
    return found.map((address) => ({ address, family: isIP(address) }))
  }
}

const failing = (code: string) => Object.assign(new Error(code), { code })

/** How often undici sets out to connect while the work runs. */
async function connectsDuring(work: () => Promise<void>): Promise<number> {
  let count = 0
  const counted = () => {
    count += 1
  }
  subscribe('undici:client:beforeConnect', counted)
  try {
    await work()
  } finally {
    unsubscribe('undici:client:beforeConnect', counted)
  }
  return count
}

t.test('every URL of the corpus that is refused is abandoned before any connection', async (t) => {
  const published = new URL('../../../../../../test/vectors/ssrf-corpus.json', import.meta.url)
  const corpus = JSON.parse(readFileSync(published, 'utf8')) as {
    url: string
    expect: string
    resolvesTo?: string[]
    allowHttp?: boolean
  }[]
  const refused = corpus.filter(({ expect }) => expect === 'refuse')
  t.ok(refused.length > 100)
  const connects = await connectsDuring(async () => {
    for (const { url, resolvesTo, allowHttp = false } of refused) {
      const { transport } = loopbackTransport({
        policy: { allowHttp, denyPrivateIps: true, allowCidrs: [] },
        lookup: resolving(resolvesTo ?? failing('ENOTFOUND'))
      })
      const result = await transport.send({ ...deliveryTo(1), url }, DEADLINE_MS)
      t.match(result, { kind: 'abandoned', error: /^url refused: / }, JSON.stringify(url))
      await transport.close()
    }
  })
  t.equal(connects, 0)
})

t.test('what a check can say, in an attempt', async (t) => {
  const rows: readonly [answer: string[] | Error, result: object][] = [
    [['10.0.0.1'], { kind: 'abandoned', reason: 'address', error: 'url refused: address' }],
    [['127.0.0.1', '10.0.0.1'], { kind: 'abandoned', reason: 'address', error: 'url refused: address' }],
    [['::ffff:a00:1'], { kind: 'abandoned', reason: 'address', error: 'url refused: address' }],
    [[], { kind: 'abandoned', reason: 'unresolvable', error: 'url refused: no such host' }],
    [failing('ENOTFOUND'), { kind: 'abandoned', reason: 'unresolvable', error: 'url refused: no such host' }],
    [failing('EAI_AGAIN'), { kind: 'failed', error: 'name resolution failed' }],
    [failing('ETIMEOUT'), { kind: 'failed', error: 'name resolution failed' }]
  ]
  const connects = await connectsDuring(async () => {
    for (const [answers, result] of rows) {
      const { transport } = loopbackTransport({ lookup: resolving(answers) })
      t.strictSame(await transport.send(deliveryTo(1), DEADLINE_MS), { ...result, durationMs: 0 })
      await transport.close()
    }
  })
  t.equal(connects, 0)
})

t.test('a name that turns inside between two deliveries: no kept connection serves it', async (t) => {
  const receiver = await accepting()
  const { transport } = loopbackTransport({ lookup: resolving(['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']) })
  for (let turn = 0; turn < 2; turn += 1) {
    t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { kind: 'answered' })
  }
  t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { kind: 'abandoned', reason: 'address' })
  t.equal(receiver.connections, 1)
  t.equal(receiver.requests.length, 2)
  await transport.close()
  await receiver.close()
})

t.test('a name that moves gets a new connection to where it moved, and back again', async (t) => {
  const first = await accepting()
  const { transport } = loopbackTransport({ lookup: resolving(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']) })
  const send = () => transport.send(deliveryTo(first.port), DEADLINE_MS)
  t.match(await send(), { kind: 'answered' })
  t.match(await send(), { kind: 'failed', error: 'connection refused' }, 'nobody listens there')
  t.match(await send(), { kind: 'answered' })
  t.equal(first.connections, 1, 'the first connection was kept for its own address')
  await transport.close()
  await first.close()
})

t.test('the order of the addresses does not matter, and all of them are tried', async (t) => {
  const receiver = await accepting()
  const { transport } = loopbackTransport({ lookup: resolving(['127.0.0.2', '127.0.0.1'], ['127.0.0.1', '127.0.0.2']) })
  for (let turn = 0; turn < 3; turn += 1) {
    t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { kind: 'answered' })
  }
  t.equal(receiver.connections, 1)
  await transport.close()
  await receiver.close()
})

t.test('the name is never resolved a second time for the connection', async (t) => {
  const receiver = await accepting()
  let asked = 0
  const lookup: Lookup = async (host) => {
    asked += 1
    return toLoopback(host)
  }
  const { transport } = loopbackTransport({ lookup })
  // A name that the system itself knows to lead elsewhere, or nowhere.
  await transport.send(deliveryTo(receiver.port, '/', 'nowhere.invalid'), DEADLINE_MS)
  await transport.send(deliveryTo(receiver.port, '/', 'nowhere.invalid'), DEADLINE_MS)
  t.equal(receiver.requests.length, 2)
  t.equal(asked, 2)
  await transport.close()
  await receiver.close()
})

t.test('two names at one address do not share a connection', async (t) => {
  const receiver = await accepting()
  const { transport } = loopbackTransport()
  await transport.send(deliveryTo(receiver.port, '/', 'a.example'), DEADLINE_MS)
  await transport.send(deliveryTo(receiver.port, '/', 'b.example'), DEADLINE_MS)
  t.equal(receiver.connections, 2)
  await transport.close()
  await receiver.close()
})

t.test('without the check of addresses a name is still pinned to its answer', async (t) => {
  const receiver = await accepting()
  const { transport } = loopbackTransport({ policy: { allowHttp: true, denyPrivateIps: false, allowCidrs: [] } })
  t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { kind: 'answered' })
  t.match(await transport.send({ ...deliveryTo(1), url: `ftp://a.example/` }, DEADLINE_MS), { reason: 'scheme' })
  await transport.close()
  await receiver.close()
})
