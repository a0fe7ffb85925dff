/**
 * A load of few instructions: precomputed bytes over pipelined sockets, answers
 * counted by their length, so that the generator never is the bottleneck.
 * Bounded: a given number of requests, then it ends.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Scenario } from './scenario.ts'

const CONNECTIONS = 20

/** What an HTTP client of an API sends along. */
const CLIENT_HEADERS = [
  'host: 127.0.0.1',
  'user-agent: bench/1.0 (node)',
  'accept: application/json, text/plain',
  'accept-encoding: gzip, deflate, br',
  'connection: keep-alive'
]

/**
 * Sends `count` requests, or messages, and waits for every answer.
 *
 * @param pipeline requests in flight per connection; clients of today send one at a time
 * @throws when an answer is not as expected
 */
export async function load(port: number, scenario: Scenario, count: number, pipeline = 1): Promise<void> {
  const share = Math.ceil(count / CONNECTIONS)
  await Promise.all(Array.from({ length: CONNECTIONS }, () => drive(port, scenario, share, pipeline)))
}

/** Sends one request, or message, and checks the answer. */
export async function ask(port: number, scenario: Scenario): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  try {
    await firstAnswer(socket, await readied(socket, scenario), scenario)
  } finally {
    socket.destroy()
  }
}

async function drive(port: number, scenario: Scenario, count: number, pipeline: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  try {
    const request = await readied(socket, scenario)
    const size = await firstAnswer(socket, request, scenario)
    await exchange(
      socket,
      Buffer.concat(Array.from({ length: pipeline }, () => request)),
      size * pipeline,
      count / pipeline
    )
  } finally {
    socket.destroy()
  }
}

/** @returns the bytes of one request, or of one message behind the upgrade */
async function readied(socket: Socket, scenario: Scenario): Promise<Buffer> {
  if (scenario.transport === 'http') return httpRequest(scenario)
  await upgrade(socket, scenario.path)
  return textFrame(scenario.payload ?? '')
}

function httpRequest({ path, payload, headers = [] }: Scenario): Buffer {
  const lines = [`${payload === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`, ...CLIENT_HEADERS, ...headers, '']
  const head = lines.join('\r\n')
  if (payload === undefined) return Buffer.from(`${head}\r\n`)
  const body = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`
  return Buffer.from(head + body)
}

/** One masked text frame (RFC 6455, 5.2); short payloads only. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length > 125) throw new RangeError('the frame writer takes at most 125 bytes')
  const mask = randomBytes(4)
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] as number))
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, masked])
}

async function upgrade(socket: Socket, path: string): Promise<void> {
  const key = randomBytes(16).toString('base64')
  const lines = ['host: 127.0.0.1', 'connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13']
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nsec-websocket-key: ${key}\r\n\r\n`)
  const answer = await nextData(socket)
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(`no upgrade: ${answer.toString('latin1')}`)
}

/** Every later answer has the length of the first: same route, same bytes, fixed-width headers. */
async function firstAnswer(socket: Socket, request: Buffer, scenario: Scenario): Promise<number> {
  socket.write(request)
  const text = await wholeAnswer(socket, scenario.transport)
  if (scenario.transport === 'http' && !text.startsWith(`HTTP/1.1 ${scenario.status}`)) {
    throw new Error(`${scenario.name}: expected ${scenario.status}, got ${text}`)
  }
  if (scenario.transport === 'websocket' && !text.includes(scenario.payload ?? '')) {
    throw new Error(`${scenario.name}: no echo in ${text}`)
  }
  if (scenario.answer !== undefined && !text.endsWith(scenario.answer)) {
    throw new Error(`${scenario.name}: expected ${scenario.answer}, got ${text}`)
  }
  return text.length
}

/** One character per byte. Head and body of an HTTP answer may come apart. */
async function wholeAnswer(socket: Socket, transport: Scenario['transport']): Promise<string> {
  let text = ''
  do {
    text += (await nextData(socket)).toString('latin1')
  } while (transport === 'http' && !isWhole(text))
  return text
}

function isWhole(text: string): boolean {
  const body = text.indexOf('\r\n\r\n') + 4
  if (/\r\ntransfer-encoding: chunked/i.test(text)) return text.endsWith('\r\n0\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  return body >= 4 && (length === undefined || text.length >= body + Number(length))
}

function nextData(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    socket.once('data', resolve)
    socket.once('error', reject)
  })
}

/** Sends a batch, waits for all of its answer, sends the next; `rounds` times. */
function exchange(socket: Socket, batch: Buffer, size: number, rounds: number): Promise<void> {
  const total = Math.ceil(rounds) * size
  let received = 0
  let awaited = size
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      received += chunk.length
      if (received > total) reject(new Error('answers of differing length: the count is void'))
      else if (received === total) resolve()
      else if (received >= awaited) {
        awaited += size
        socket.write(batch)
      }
    })
    socket.write(batch)
  })
}
