/**
 * Receivers that mean harm, or are broken, over real sockets: each attempt ends
 * with one result, at its deadline at the latest, and the connection is gone.
 */
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { DEADLINE_MS, deliveryTo, loopbackTransport } from '../../support/loopback-transport.ts'
import { answer, RawReceiver, type Script } from '../../support/raw-receiver.ts'

/** Writes pieces for as long as the other side takes them. */
function endless(socket: Socket, piece: string | Buffer): void {
  const next = () => {
    if (socket.destroyed) return
    if (socket.write(piece)) setImmediate(next)
    else socket.once('drain', next)
  }
  next()
}

const head = (...headers: string[]) => ['HTTP/1.1 200 OK', ...headers, '', ''].join('\r\n')

/** What never comes to an end by itself, and is cut off at the deadline. */
const silent: readonly [name: string, script: Script][] = [
  ['never answers', () => undefined],
  ['stops in the status line', (socket) => socket.write('HTTP/1.1 20')],
  ['stops in the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: 1\r\n')],
  ['stops in the body', (socket) => socket.write(`${head('content-length: 10')}12345`)],
  ['promises a body and sends none', (socket) => socket.write(head('content-length: 1'))],
  ['stops in a chunk', (socket) => socket.write(`${head('transfer-encoding: chunked')}a\r\n1234`)],
  [
    'extends one chunk without end',
    (socket) => {
      socket.write(`${head('transfer-encoding: chunked')}1;`)
      endless(socket, 'x'.repeat(1000))
    }
  ]
]

for (const [name, script] of silent) {
  t.test(`${name}: failed at the deadline`, async (t) => {
    const receiver = await RawReceiver.start(script)
    const { transport, clock } = loopbackTransport()
    const sending = transport.send(deliveryTo(receiver.port), DEADLINE_MS)
    await receiver.asked(1)
    clock.advance(DEADLINE_MS - 1)
    t.equal(receiver.open, 1, 'not before')
    clock.advance(1)
    t.strictSame(await sending, { kind: 'failed', error: 'timeout', durationMs: DEADLINE_MS })
    await receiver.deserted()
    await transport.close()
    await receiver.close()
  })
}

const trickles: readonly [name: string, before: string, bytes: string][] = [
  ['headers', '', 'HTTP/1.1 200 OK\r\nx-a: 123'],
  ['body', head('content-length: 1000'), 'x'.repeat(25)]
]

for (const [name, before, bytes] of trickles) {
  t.test(`trickles its ${name}: the deadline does not begin anew with each byte`, async (t) => {
    const sockets: Socket[] = []
    const receiver = await RawReceiver.start((socket) => {
      sockets.push(socket)
      socket.write(before)
    })
    const { transport, clock } = loopbackTransport()
    const sending = transport.send(deliveryTo(receiver.port), DEADLINE_MS)
    await receiver.asked(1)
    for (const byte of bytes) {
      t.equal(receiver.open, 1)
      await new Promise((resolve) => sockets[0]?.write(byte, resolve))
      clock.advance(DEADLINE_MS / bytes.length)
    }
    t.strictSame(await sending, { kind: 'failed', error: 'timeout', durationMs: DEADLINE_MS })
    await receiver.deserted()
    await transport.close()
    await receiver.close()
  })
}

/** What ends by itself, well before the deadline: the clock does not move. */
const broken: readonly [name: string, script: Script, error: string][] = [
  ['hangs up', (socket) => socket.end(), 'connection closed'],
  ['resets', (socket) => socket.resetAndDestroy(), 'connection reset'],
  [
    'resets in the headers',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n', () => socket.resetAndDestroy())
    },
    'connection reset'
  ],
  ['hangs up in the body', (socket) => socket.end(`${head('content-length: 10')}12345`), 'connection closed'],
  ['answers garbage', (socket) => socket.write(Buffer.alloc(1000, 0xfe)), 'invalid response'],
  ['answers another protocol', (socket) => socket.write('220 mail.example.com ESMTP\r\n'), 'invalid response'],
  ['answers HTTP/2', (socket) => socket.write(Buffer.from('000012040000000000', 'hex')), 'invalid response'],
  ['names two lengths', (socket) => socket.write(head('content-length: 1', 'content-length: 2')), 'invalid response'],
  ['names a length that is none', (socket) => socket.write(head('content-length: -1')), 'invalid response'],
  ['sends 64 KB of headers', (socket) => socket.write(head(`x-a: ${'a'.repeat(65_536)}`)), 'invalid response'],
  [
    'sends 64 KB of small headers',
    (socket) => socket.write(head(...Array.from({ length: 6000 }, () => 'x-a: 12345'))),
    'invalid response'
  ],
  ['sends headers without end', (socket) => endless(socket, 'HTTP/1.1 200 OK\r\nx-a: 1\r\n'), 'invalid response'],
  [
    'sends interim answers without end',
    (socket) => endless(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    'invalid response'
  ],
  [
    'changes the protocol',
    (socket) => socket.write('HTTP/1.1 101 -\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    'invalid response'
  ]
]

for (const [name, script, error] of broken) {
  t.test(`${name}: failed`, async (t) => {
    const receiver = await RawReceiver.start(script)
    const { transport } = loopbackTransport()
    t.strictSame(await transport.send(deliveryTo(receiver.port), DEADLINE_MS), { kind: 'failed', error, durationMs: 0 })
    await receiver.deserted()
    t.equal(receiver.connections, 1, 'nothing is sent twice')
    await transport.close()
    await receiver.close()
  })
}

t.test('sends without end: the status counts, 2 KB are kept, and the rest is cut off', async (t) => {
  for (const framing of ['content-length: 1073741824', 'x-a: until-closed']) {
    const receiver = await RawReceiver.start((socket) => {
      socket.write(head(framing))
      endless(socket, 'x'.repeat(65_536))
    })
    const { transport } = loopbackTransport()
    const result = await transport.send(deliveryTo(receiver.port), DEADLINE_MS)
    t.strictSame(result, { kind: 'answered', status: 200, responseBody: 'x'.repeat(2048), durationMs: 0 })
    await receiver.deserted()
    await transport.close()
    await receiver.close()
  }
})

t.test('sends a bomb: it is never decompressed', async (t) => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const receiver = await RawReceiver.start((socket) => {
    socket.write(head('content-encoding: gzip', `content-length: ${bomb.length}`))
    socket.write(bomb)
  })
  const { transport } = loopbackTransport()
  const result = await transport.send(deliveryTo(receiver.port), DEADLINE_MS)
  t.match(result, { kind: 'answered', status: 200 })
  t.ok(result.kind === 'answered' && Buffer.byteLength(result.responseBody) < 3 * 2048)
  t.notMatch(receiver.requests[0], /accept-encoding/i, 'nor asked for')
  await transport.close()
  await receiver.close()
})

t.test('redirects: the answer is the result, and nobody goes there', async (t) => {
  const inside = await RawReceiver.start((socket) => socket.write(answer(200)))
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `location: http://127.0.0.1:${inside.port}/`
    const receiver = await RawReceiver.start((socket) => socket.write(answer(status, 'elsewhere', location)))
    const { transport } = loopbackTransport()
    const result = await transport.send(deliveryTo(receiver.port), DEADLINE_MS)
    t.strictSame(result, { kind: 'answered', status, responseBody: 'elsewhere', durationMs: 0 })
    await transport.close()
    await receiver.close()
  }
  t.equal(inside.connections, 0)
  await inside.close()
})
