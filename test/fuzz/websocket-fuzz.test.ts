/**
 * Frames as no client library would send them: each ends in the right close
 * code, or is answered; the server lives on, logs no failure and holds nothing back.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import svcDecorators, { controller, Message, WebSocket } from 'svc-decorators'
import t, { type Test } from 'tap'
import { ERROR } from '../support/log-lines.ts'
import { RawWebSocket } from '../support/raw-websocket.ts'
import { startApp } from '../support/start-app.ts'
import {
  BINARY,
  CLOSE,
  closePayload,
  encodeFrame,
  type FrameFields,
  PING,
  PONG,
  TEXT
} from '../support/websocket-frame.ts'
import { type Reaction, WebSocketModel } from './websocket-model.ts'

const SEED = 51_515_152
const MAX_PAYLOAD = 200
const BROKEN = Buffer.from([0xc3, 0x28])

@controller()
class Echo {
  @WebSocket('/echo')
  echo(@Message() text: string): unknown {
    return { echo: text }
  }
}

async function echoApp(t: Test) {
  const { port, lines, fastify } = await startApp(t, {
    modules: [[svcDecorators, { controllers: [Echo], websocket: { maxPayload: MAX_PAYLOAD } }]]
  })
  const open = async () => (await RawWebSocket.open(t, port, '/echo')).socket
  /** Unharmed: it answers, nothing failed, and no connection is kept. */
  const livesOn = async (t: Test) => {
    const socket = await open()
    socket.sendText('alive')
    t.same(await socket.nextJson(), { echo: 'alive' })
    socket.close()
    t.strictSame(
      lines.filter(({ level }) => level >= ERROR),
      []
    )
    while (fastify.websocketServer.clients.size > 0) await new Promise((resume) => setImmediate(resume))
  }
  return { open, livesOn }
}

const text = (fields: Partial<FrameFields> = {}): FrameFields => ({ opcode: TEXT, payload: 'x', ...fields })
const part = (fields: Partial<FrameFields> = {}): FrameFields => ({ opcode: 0, payload: 'x', ...fields })
const close = (payload: Buffer | string): FrameFields => ({ opcode: CLOSE, payload })

const rows: Array<[title: string, code: number, frames: FrameFields[]]> = [
  ...[1, 2, 4, 7].map((reserved): (typeof rows)[0] => [`reserved bits ${reserved}`, 1002, [text({ reserved })]]),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode): (typeof rows)[0] => [
    `opcode ${opcode}`,
    1002,
    [text({ opcode })]
  ]),
  ['a text that is not masked', 1002, [text({ masked: false })]],
  ['a ping that is not masked', 1002, [text({ opcode: PING, masked: false })]],
  ['a ping in fragments', 1002, [text({ opcode: PING, fin: false })]],
  ['a ping that is too long', 1002, [text({ opcode: PING, payload: 'x'.repeat(126) })]],
  ['a continuation of nothing', 1002, [part()]],
  ['a text inside of a fragmented one', 1002, [text({ fin: false }), text()]],
  ['a text that is no UTF-8', 1007, [text({ payload: BROKEN })]],
  ['a fragmented text that is no UTF-8', 1007, [text({ payload: BROKEN, fin: false }), part()]],
  ['a byte too much', 1009, [text({ payload: 'x'.repeat(MAX_PAYLOAD + 1) })]],
  ['a byte too much in fragments', 1009, [text({ payload: 'x'.repeat(MAX_PAYLOAD), fin: false }), part()]],
  ['four gigabytes announced', 1009, [text({ claimed: 0x1_0000_0000n })]],
  ['more than a number can hold', 1009, [text({ claimed: 0x20_0000_0000_0000n })]],
  ['a length with the first bit set', 1009, [text({ claimed: 0xffff_ffff_ffff_ffffn })]],
  ['a close of one byte', 1002, [close('x')]],
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map((code): (typeof rows)[0] => [
    `a close with code ${code}`,
    1002,
    [close(closePayload(code))]
  ]),
  ['a close whose reason is no UTF-8', 1007, [close(closePayload(1000, BROKEN))]],
  ['a close as it should be', 1000, [close(closePayload(1000, 'bye'))]],
  ['a close with a code of its own', 4999, [close(closePayload(4999))]],
  ['a close without a code', 1005, [close('')]],
  ['answered first, then broken', 1002, [text(), text(), part()]]
]

t.test('each broken frame closes with its code', async (t) => {
  const { open, livesOn } = await echoApp(t)
  for (const [title, code, frames] of rows) {
    const socket = await open()
    socket.write(Buffer.concat(frames.map(encodeFrame)))
    t.equal(await socket.closeCode(), code, title)
    t.strictSame(new WebSocketModel(MAX_PAYLOAD).react(frames).at(-1), ['close', code], `the model on: ${title}`)
    socket.close()
  }
  await livesOn(t)
})

t.test('bytes that are no frames at all, and frames that never end', async (t) => {
  const { open, livesOn } = await echoApp(t)
  const garbage = [
    Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n'),
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]),
    Buffer.alloc(4_096, 0xff),
    Buffer.alloc(4_096, 0x00)
  ]
  for (const bytes of garbage) {
    const socket = await open()
    socket.write(bytes)
    t.equal(await socket.closeCode(), 1002)
    socket.close()
  }
  for (const length of [1, 2, 5, 7]) {
    const socket = await open()
    socket.write(encodeFrame(text({ payload: 'unfinished' })).subarray(0, length))
    socket.socket.end()
    t.equal(await socket.closeCode(), null, `the connection ended after ${length} bytes`)
  }
  await livesOn(t)
})

/** Short texts, some with more bytes than characters, and some around the limits of a header and of the server. */
const payload = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12, unit: 'grapheme' }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 125, 126, MAX_PAYLOAD - 1, MAX_PAYLOAD).map((size) => 'x'.repeat(size)) },
  { weight: 1, arbitrary: fc.constant(BROKEN) }
)

const control: fc.Arbitrary<FrameFields> = fc.record({
  opcode: fc.constantFrom(PING, PING, PONG),
  payload: fc.string({ maxLength: 12 })
})

/** A whole message, in one frame or in several with control frames between them. */
const message: fc.Arbitrary<FrameFields[]> = fc
  .tuple(
    fc.constantFrom(TEXT, TEXT, TEXT, BINARY),
    payload,
    fc.array(fc.tuple(payload, fc.array(control, { maxLength: 1 })), { maxLength: 2 })
  )
  .map(([opcode, first, rest]) => [
    { opcode, payload: first, fin: rest.length === 0 },
    ...rest.flatMap(([next, between], index) => [...between, part({ payload: next, fin: index === rest.length - 1 })])
  ])

const closing: fc.Arbitrary<FrameFields> = fc
  .tuple(fc.constantFrom(1000, 1001, 1005, 2000, 3000, 4999, 5000), fc.constantFrom('', 'bye', BROKEN))
  .map(([code, reason]) => close(closePayload(code, reason)))

const bad: fc.Arbitrary<FrameFields> = fc.record(
  {
    opcode: fc.nat({ max: 15 }),
    fin: fc.boolean(),
    reserved: fc.nat({ max: 7 }),
    masked: fc.boolean(),
    payload
  },
  { requiredKeys: ['opcode'] }
)

const sequence: fc.Arbitrary<FrameFields[]> = fc
  .array(
    fc.oneof(
      { weight: 16, arbitrary: message },
      { weight: 4, arbitrary: control.map((frame) => [frame]) },
      { weight: 1, arbitrary: closing.map((frame) => [frame]) },
      { weight: 3, arbitrary: bad.map((frame) => [frame]) }
    ),
    { minLength: 1, maxLength: 6 }
  )
  .map((groups) => groups.flat())

/** Writes the bytes in pieces, cut at the given places. */
async function writeInPieces(socket: RawWebSocket, bytes: Buffer, cuts: readonly number[]): Promise<void> {
  const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b)
  for (const [index, place] of [0, ...places].entries()) {
    socket.write(bytes.subarray(place, places[index] ?? bytes.length))
    await new Promise((resume) => setImmediate(resume))
  }
}

async function nextReaction(socket: RawWebSocket): Promise<Reaction | null> {
  const frame = await socket.nextFrame()
  if (frame === null) return null
  const { opcode, payload: bytes } = frame
  if (opcode === PONG) return ['pong', bytes.toString('latin1')]
  if (opcode === CLOSE) return ['close', bytes.length < 2 ? 1005 : bytes.readUInt16BE(0)]
  const answer = JSON.parse(bytes.toString()) as { echo?: string; code?: string }
  return answer.code === 'SVC_WS_BINARY' ? ['binary'] : ['text', String(answer.echo)]
}

t.test(`sequences of frames, against a model; seed ${SEED}`, async (t) => {
  const { open, livesOn } = await echoApp(t)
  const endings = { open: 0, closed: 0 }
  await fc.assert(
    fc.asyncProperty(sequence, fc.array(fc.nat({ max: 400 }), { maxLength: 4 }), async (frames, cuts) => {
      // A ping at the end tells an open connection from one that is only slow to close.
      const sent = [...frames, { opcode: PING, payload: 'the end' }]
      const expected = new WebSocketModel(MAX_PAYLOAD).react(sent)
      const socket = await open()
      await writeInPieces(socket, Buffer.concat(sent.map(encodeFrame)), cuts)
      for (const reaction of expected) {
        const given = await nextReaction(socket)
        if (!isDeepStrictEqual(given, reaction))
          throw new Error(`${JSON.stringify(given)}, not ${JSON.stringify(reaction)}`)
      }
      socket.close()
      endings[expected.at(-1)?.[0] === 'close' ? 'closed' : 'open'] += 1
    }),
    { seed: SEED, numRuns: 500 }
  )
  t.ok(endings.open > 50 && endings.closed > 50, JSON.stringify(endings))
  await livesOn(t)
})
