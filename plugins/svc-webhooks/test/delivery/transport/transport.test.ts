/** What goes over the wire, what comes back, which connection it takes, and how it all ends. */
import { systemClock } from 'svc-kernel'
import t from 'tap'
import type { ResolvedAddress } from '../../../src/ssrf/lookup.ts'
import { HeldPromise } from '../../support/held-promise.ts'
import { DEADLINE_MS, deliveryTo, loopbackTransport } from '../../support/loopback-transport.ts'
import { answer, RawReceiver } from '../../support/raw-receiver.ts'

const accepting = (body = '{"ok":true}') => RawReceiver.start((socket) => socket.write(answer(200, body)))

t.test('one POST of exactly the given bytes, under the name of the receiver', async (t) => {
  const receiver = await accepting()
  const { transport } = loopbackTransport()
  const result = await transport.send(deliveryTo(receiver.port, '/in?x=%20a#part'), DEADLINE_MS)
  t.strictSame(result, { kind: 'answered', status: 200, responseBody: '{"ok":true}', durationMs: 0 })
  t.equal(
    receiver.requests[0],
    [
      'POST /in?x=%20a HTTP/1.1',
      `host: hooks.example.com:${receiver.port}`,
      'connection: keep-alive',
      'content-type: application/json',
      'webhook-id: msg_1',
      'content-length: 24',
      '',
      '{"type":"login.failure"}'
    ].join('\r\n')
  )
  await transport.close()
  await receiver.close()
})

t.test('any status is an answer, and an empty body an empty text', async (t) => {
  for (const status of [200, 201, 202, 204, 304, 400, 404, 410, 429, 500, 503, 599]) {
    const body = status === 204 || status === 304 ? '' : `said ${status}`
    const receiver = await RawReceiver.start((socket) => socket.write(answer(status, body)))
    const { transport } = loopbackTransport()
    const result = await transport.send(deliveryTo(receiver.port), DEADLINE_MS)
    t.strictSame(result, { kind: 'answered', status, responseBody: body, durationMs: 0 })
    await transport.close()
    await receiver.close()
  }
})

t.test('a clock that is set back makes no attempt shorter than nothing', async (t) => {
  let now = 1_000_000
  const clock = { ...systemClock, now: () => now }
  const receiver = await RawReceiver.start((socket) => {
    now -= 60_000
    socket.write(answer(200))
  })
  const { transport } = loopbackTransport({ clock })
  t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { status: 200, durationMs: 0 })
  await transport.close()
  await receiver.close()
})

t.test('a few interim answers are passed over', async (t) => {
  const receiver = await RawReceiver.start((socket) => {
    socket.write(`${'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3)}${answer(200, 'final')}`)
  })
  const { transport } = loopbackTransport()
  t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { status: 200, responseBody: 'final' })
  await transport.close()
  await receiver.close()
})

t.test('2 KB of an answer are kept, cut between characters; 64 KB are read', async (t) => {
  const cases: readonly [name: string, body: string, kept: string, connections: number][] = [
    ['2048 bytes', 'x'.repeat(2048), 'x'.repeat(2048), 1],
    ['2049 bytes', 'x'.repeat(2049), 'x'.repeat(2048), 1],
    ['a character of two bytes across the cut', `${'x'.repeat(2047)}é`, 'x'.repeat(2047), 1],
    ['a character of four bytes across the cut', `${'x'.repeat(2045)}🦊🦊`, 'x'.repeat(2045), 1],
    ['65536 bytes', 'x'.repeat(65_536), 'x'.repeat(2048), 1],
    ['65537 bytes', 'x'.repeat(65_537), 'x'.repeat(2048), 2]
  ]
  for (const [name, body, kept, connections] of cases) {
    const receiver = await accepting(body)
    const { transport } = loopbackTransport()
    for (let turn = 0; turn < 2; turn += 1) {
      t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { status: 200, responseBody: kept }, name)
    }
    t.equal(receiver.connections, connections, `${name}: connections for two deliveries`)
    await transport.close()
    await receiver.close()
  }
})

t.test('bytes that are no text do no harm', async (t) => {
  const receiver = await RawReceiver.start((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n')
    socket.write(Buffer.from([0x61, 0xff, 0xc3]))
  })
  const { transport } = loopbackTransport()
  t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { responseBody: 'a\ufffd\ufffd' })
  await transport.close()
  await receiver.close()
})

t.test('a connection is kept where its answer was read to the end, and left where the receiver says so', async (t) => {
  const cases: readonly [headers: string[], connections: number][] = [
    [[], 1],
    [['keep-alive: timeout=5'], 1],
    [['connection: close'], 3],
    [['keep-alive: timeout=1'], 3]
  ]
  for (const [headers, connections] of cases) {
    const receiver = await RawReceiver.start((socket) => socket.write(answer(500, 'x', ...headers)))
    const { transport } = loopbackTransport()
    for (let turn = 0; turn < 3; turn += 1) await transport.send(deliveryTo(receiver.port), DEADLINE_MS)
    t.equal(receiver.connections, connections, String(headers))
    await transport.close()
    await receiver.close()
  }
})

t.test('a receiver that hangs up between two deliveries costs a connection, not a delivery', async (t) => {
  const receiver = await RawReceiver.start((socket) => {
    socket.write(answer(200))
    socket.end()
  })
  const { transport } = loopbackTransport()
  for (let turn = 0; turn < 3; turn += 1) {
    t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { kind: 'answered', status: 200 })
    await receiver.deserted()
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.equal(receiver.connections, 3)
  await transport.close()
  await receiver.close()
})

t.test('connections are bounded: idle ones give way to new ones', async (t) => {
  const receiver = await accepting()
  const { transport } = loopbackTransport({ maxConnections: 2 })
  for (const host of ['a.example', 'b.example', 'c.example', 'd.example']) {
    await transport.send(deliveryTo(receiver.port, '/', host), DEADLINE_MS)
  }
  t.equal(receiver.connections, 4)
  await transport.send(deliveryTo(receiver.port, '/', 'd.example'), DEADLINE_MS)
  await transport.send(deliveryTo(receiver.port, '/', 'c.example'), DEADLINE_MS)
  t.equal(receiver.connections, 4, 'the two used last are kept')
  await transport.send(deliveryTo(receiver.port, '/', 'a.example'), DEADLINE_MS)
  t.equal(receiver.connections, 5, 'the others were not')
  const many = await Promise.all(
    Array.from({ length: 6 }, () => transport.send(deliveryTo(receiver.port), DEADLINE_MS))
  )
  t.ok(
    many.every(({ kind }) => kind === 'answered'),
    'more at a time than that are served all the same'
  )
  await transport.close()
  await receiver.deserted()
  await receiver.close()
})

t.test('closing ends what is idle, what runs and what waits for a name, and takes nothing more', async (t) => {
  let answering = true
  const receiver = await RawReceiver.start((socket) => {
    if (answering) socket.write(answer(200))
  })
  const name = new HeldPromise<readonly ResolvedAddress[]>()
  const lookup = (host: string) =>
    host === 'slow.example' ? name.promise : Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const { transport, clock } = loopbackTransport({ lookup })
  await transport.send(deliveryTo(receiver.port, '/', 'idle.example'), DEADLINE_MS)
  answering = false
  const running = transport.send(deliveryTo(receiver.port), DEADLINE_MS)
  const waiting = transport.send(deliveryTo(receiver.port, '/', 'slow.example'), DEADLINE_MS)
  await receiver.asked(2)
  t.equal(receiver.open, 2)
  await transport.close()
  const closed = { kind: 'failed', error: 'closed', durationMs: 0 }
  t.strictSame(await running, closed)
  t.strictSame(await waiting, closed)
  t.strictSame(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), closed)
  await receiver.deserted()
  t.equal(clock.pending, 0, 'no timer stays behind')
  name.resolve([{ address: '127.0.0.1', family: 4 }])
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(receiver.connections, 2, 'a name that comes later opens nothing')
  await transport.close()
  await receiver.close()
})

t.test('nobody listens: refused, on the machine’s own clock as well', async (t) => {
  const receiver = await accepting()
  const { port } = receiver
  await receiver.close()
  const { transport } = loopbackTransport({ clock: systemClock })
  t.match(await transport.send(deliveryTo(port), DEADLINE_MS), { kind: 'failed', error: 'connection refused' })
  await transport.close()
})

t.test('the deadline covers the name too', async (t) => {
  const { transport, clock } = loopbackTransport({ lookup: () => new HeldPromise<never>().promise })
  const sending = transport.send(deliveryTo(1), DEADLINE_MS)
  clock.advance(DEADLINE_MS)
  t.strictSame(await sending, { kind: 'failed', error: 'timeout', durationMs: DEADLINE_MS })
  await transport.close()
})

t.test('headers that cannot be sent fail the attempt and nothing else', async (t) => {
  const receiver = await accepting()
  const { transport } = loopbackTransport()
  const request = { ...deliveryTo(receiver.port), headers: { 'x-a': 'a\r\nx-b: b' } }
  t.match(await transport.send(request, DEADLINE_MS), { kind: 'failed', error: 'connection failed' })
  t.match(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { kind: 'answered' })
  t.notMatch(receiver.requests.join(''), /x-b/)
  await transport.close()
  await receiver.close()
})
