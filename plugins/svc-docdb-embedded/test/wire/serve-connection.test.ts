/** The protocol beside what drivers send: bytes that are no message, split messages, silence, writes sent twice. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Binary, deserialize, Long, serialize } from 'bson'
import t from 'tap'
import { startDocumentEngine } from '../../src/index.ts'

const engine = await startDocumentEngine()
t.teardown(() => engine.close())

async function open(t: { teardown: (end: () => void) => void }): Promise<Socket> {
  const socket = connect(engine.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

function message(sections: Uint8Array, { flags = 0, opCode = 2013 } = {}): Buffer {
  const head = Buffer.alloc(20)
  head.writeInt32LE(20 + sections.length, 0)
  head.writeInt32LE(7, 4)
  head.writeInt32LE(opCode, 12)
  head.writeUInt32LE(flags, 16)
  return Buffer.concat([head, sections])
}

const body = (command: object) => Buffer.concat([Buffer.from([0]), serialize({ ...command, $db: 'd' })])

async function ask(socket: Socket, bytes: Buffer): Promise<Record<string, unknown>> {
  socket.write(bytes)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  t.equal(answer.readInt32LE(8), 7, 'the answer names its request')
  return deserialize(answer.subarray(21))
}

t.test('a message in single bytes, and two in one piece', async (t) => {
  const socket = await open(t)
  const ping = message(body({ ping: 1 }))
  for (const byte of ping.subarray(0, -1)) socket.write(Buffer.from([byte]))
  t.match(await ask(socket, ping.subarray(-1)), { ok: 1 })
  let answers = 0
  const both = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      answers += chunk.length
      if (answers >= 2 * (21 + serialize({ ok: 1 }).length)) resolve()
    })
  })
  socket.write(Buffer.concat([ping, ping]))
  await both
})

const closing: readonly [what: string, bytes: Buffer][] = [
  ['a length below the header', Buffer.from([1, 0, 0, 0])],
  ['a negative length', Buffer.from([255, 255, 255, 255])],
  ['a length beyond the maximum', Buffer.from([0, 0, 0, 127])],
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')],
  ['an operation that is not served', message(body({ ping: 1 }), { opCode: 2002 })]
]

for (const [what, bytes] of closing) {
  t.test(`closes on ${what}`, async (t) => {
    const socket = await open(t)
    socket.on('error', () => undefined)
    socket.write(bytes)
    await once(socket, 'close')
    t.match(await ask(await open(t), message(body({ ping: 1 }))), { ok: 1 }, 'others are served')
  })
}

const refused: readonly [what: string, bytes: Buffer, code: number][] = [
  ['unknown flags', message(body({ ping: 1 }), { flags: 64 }), 9],
  ['no body', message(Buffer.alloc(0)), 9],
  ['two bodies', message(Buffer.concat([body({ ping: 1 }), body({ ping: 1 })])), 9],
  ['a section of an unknown kind', message(Buffer.from([9, 5, 0, 0, 0, 0])), 9],
  ['a section that ends outside', message(Buffer.from([0, 99, 0, 0, 0, 0])), 9],
  ['BSON that is none', message(Buffer.from([0, 8, 0, 0, 0, 66, 97, 0, 0])), 22],
  ['an empty command', message(Buffer.concat([Buffer.from([0]), serialize({})])), 59],
  [
    'OP_QUERY on a collection',
    message(Buffer.concat([Buffer.from('d.c\0'), Buffer.alloc(8), serialize({})]), { opCode: 2004 }),
    9
  ]
]

for (const [what, bytes, code] of refused) {
  t.test(`answers ${code} to ${what}`, async (t) => {
    const socket = await open(t)
    socket.write(bytes)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    t.match(deserialize(answer.subarray(answer.readInt32LE(12) === 1 ? 36 : 21)), { ok: 0, code })
  })
}

t.test('a write that wants no answer gets none, and is done', async (t) => {
  const socket = await open(t)
  socket.write(message(body({ insert: 'silent', documents: [{ a: 1 }] }), { flags: 2 }))
  t.match(await ask(socket, message(body({ count: 'silent' }))), { n: 1, ok: 1 })
})

t.test('a retryable write that is sent twice is done once', async (t) => {
  const socket = await open(t)
  const lsid = { id: new Binary(Buffer.alloc(16, 1), 4) }
  const increment = (txnNumber: number) =>
    message(
      body({
        update: 'n',
        updates: [{ q: { k: 1 }, u: { $inc: { n: 1 } }, upsert: true }],
        lsid,
        txnNumber: Long.fromNumber(txnNumber)
      })
    )
  const first = await ask(socket, increment(1))
  t.strictSame(await ask(await open(t), increment(1)), first)
  await ask(socket, increment(2))
  t.match(await ask(socket, message(body({ find: 'n' }))), { cursor: { firstBatch: [{ k: 1, n: 2 }] } })
})

t.test('a write that waits longer than its maxTimeMS (50)', async (t) => {
  const [inside, outside] = [await open(t), await open(t)]
  const lsid = { id: new Binary(Buffer.alloc(16, 2), 4) }
  const transaction = { lsid, txnNumber: Long.ONE, autocommit: false }
  await ask(outside, message(body({ insert: 'w', documents: [{ _id: 1 }] })))
  await ask(
    inside,
    message(body({ delete: 'w', deletes: [{ q: {}, limit: 0 }], ...transaction, startTransaction: true }))
  )
  const late = { update: 'w', updates: [{ q: { _id: 1 }, u: { $set: { a: 1 } } }], maxTimeMS: 1 }
  t.match(await ask(outside, message(body(late))), { ok: 0, code: 50 })
  t.match(await ask(inside, message(body({ ping: 1, ...transaction }))), { code: 263 })
  t.match(await ask(inside, message(body({ commitTransaction: 1, ...transaction }))), { code: 251 })
})
