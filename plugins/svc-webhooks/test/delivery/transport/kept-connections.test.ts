/** Kept connections that the receiver closes: one more try over a fresh one, and only where nothing was answered. */
import t, { type Test } from 'tap'
import { DEADLINE_MS, deliveryTo, loopbackTransport } from '../../support/loopback-transport.ts'
import { answer, RawReceiver, type Script } from '../../support/raw-receiver.ts'

async function receiving(t: Test, script: Script) {
  const receiver = await RawReceiver.start(script)
  const { transport } = loopbackTransport()
  t.teardown(async () => {
    await transport.close()
    await receiver.close()
  })
  return { receiver, send: () => transport.send(deliveryTo(receiver.port), DEADLINE_MS) }
}

/** Answers the first request of each connection. */
const firstOnly = (then: (socket: Parameters<Script>[0]) => void): Script => {
  const served = new Set<number>()
  return (socket, _request, connection) => {
    if (served.has(connection)) then(socket)
    else {
      served.add(connection)
      socket.write(answer(200))
    }
  }
}

for (const [name, end] of [
  ['closes', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()]
] as [string, Parameters<typeof firstOnly>[0]][]) {
  t.test(`W6: a receiver that ${name} a kept connection gets the message over a fresh one, at once`, async (t) => {
    const { receiver, send } = await receiving(t, firstOnly(end))
    t.match(await send(), { kind: 'answered', status: 200 })
    t.match(await send(), { kind: 'answered', status: 200 })
    t.equal(receiver.connections, 2)
    t.equal(receiver.requests.length, 3, 'the request that was cut off, and the same again')
    t.equal(receiver.requests[1], receiver.requests[2])
  })
}

t.test('W6: a connection that never served is no stale one', async (t) => {
  const { receiver, send } = await receiving(t, (socket) => socket.end())
  t.match(await send(), { kind: 'failed', error: 'connection closed' })
  t.equal(receiver.connections, 1)
})

t.test('W6: once, not for ever', async (t) => {
  let fresh = true
  const { receiver, send } = await receiving(t, (socket) => {
    if (fresh) socket.write(answer(200))
    else socket.end()
    fresh = false
  })
  t.match(await send(), { kind: 'answered' })
  t.match(await send(), { kind: 'failed', error: 'connection closed' })
  t.equal(receiver.requests.length, 3)
})

t.test('W6: where a part of an answer has come, the message is not sent again', async (t) => {
  const script = firstOnly((socket) => {
    socket.write('HTTP/1.1 2')
    setImmediate(() => socket.end())
  })
  const { receiver, send } = await receiving(t, script)
  await send()
  t.match(await send(), { kind: 'failed' })
  t.equal(receiver.requests.length, 2)
  t.equal(receiver.connections, 1)
})
