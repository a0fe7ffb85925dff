/**
 * DNS rebinding with a real name server: its answer changes between check and connection, and between two deliveries.
 * 127.0.0.1 plays the public receiver, 127.0.0.2 on the same port the service inside that nobody may reach.
 */
import t, { type Test } from 'tap'
import { DnsServer } from '../../support/dns-server.ts'
import { DEADLINE_MS, deliveryTo, LOOPBACK_POLICY, loopbackTransport } from '../../support/loopback-transport.ts'
import { answer, RawReceiver } from '../../support/raw-receiver.ts'

const OUTSIDE = '127.0.0.1'
const INSIDE = '127.0.0.2'
const policy = { ...LOOPBACK_POLICY, allowCidrs: [`${OUTSIDE}/32`] }

async function world(t: Test) {
  const outside = await RawReceiver.start((socket) => socket.write(answer(200, 'outside')), OUTSIDE)
  const inside = await RawReceiver.start((socket) => socket.write(answer(200, 'inside')), INSIDE, outside.port)
  const dns = await DnsServer.start()
  const { transport } = loopbackTransport({ policy, lookup: dns.lookup })
  t.teardown(async () => {
    await transport.close()
    await Promise.all([outside.close(), inside.close(), dns.close()])
  })
  const send = () => transport.send(deliveryTo(outside.port, '/in', 'rebind.example'), DEADLINE_MS)
  return { outside, inside, dns, send }
}

const REFUSED = { kind: 'abandoned', reason: 'address', error: 'url refused: address' }

t.test('the answer changes right after the check: the connection goes to what was checked', async (t) => {
  const { outside, inside, dns, send } = await world(t)
  dns.answer = (question) => [question === 1 ? OUTSIDE : INSIDE]
  t.match(await send(), { kind: 'answered', responseBody: 'outside' })
  t.equal(dns.questions, 1, 'nobody asked again')
  t.equal(outside.connections, 1)
  t.equal(inside.connections, 0)
})

t.test('the answer changes between two deliveries: the kept connection is not used, nor a new one made', async (t) => {
  const { outside, inside, dns, send } = await world(t)
  dns.answer = (question) => [question < 3 ? OUTSIDE : INSIDE]
  t.match(await send(), { kind: 'answered', responseBody: 'outside' })
  t.match(await send(), { kind: 'answered', responseBody: 'outside' })
  t.equal(outside.connections, 1, 'the connection was kept')
  t.match(await send(), REFUSED)
  t.match(await send(), REFUSED)
  t.equal(outside.requests.length, 2)
  t.equal(inside.connections, 0)
})

t.test('the answer goes to and fro: only what is checked is reached', async (t) => {
  const { outside, inside, dns, send } = await world(t)
  dns.answer = (question) => [question % 2 === 1 ? OUTSIDE : INSIDE]
  for (let turn = 0; turn < 5; turn += 1) {
    t.match(await send(), { kind: 'answered', responseBody: 'outside' })
    t.match(await send(), REFUSED)
  }
  t.equal(outside.requests.length, 5)
  t.equal(inside.connections, 0)
})

t.test('one address inside among those outside is enough', async (t) => {
  const { outside, inside, dns, send } = await world(t)
  for (const addresses of [
    [OUTSIDE, INSIDE],
    [INSIDE, OUTSIDE]
  ]) {
    dns.answer = () => addresses
    t.match(await send(), REFUSED)
  }
  t.equal(outside.connections + inside.connections, 0)
})

t.test('no such name is final, a server that fails is not', async (t) => {
  const { dns, send } = await world(t)
  dns.answer = () => 3
  t.match(await send(), { kind: 'abandoned', reason: 'unresolvable', error: 'url refused: no such host' })
  dns.answer = () => []
  t.match(await send(), { kind: 'abandoned', reason: 'unresolvable' })
  dns.answer = () => 2
  t.match(await send(), { kind: 'failed', error: 'name resolution failed' })
  dns.answer = () => [OUTSIDE]
  t.match(await send(), { kind: 'answered' })
})
