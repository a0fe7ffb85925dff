/** A raw HTTP/1.1 exchange over a socket: what is sent is exactly what was given, path included. */
import { connect } from 'node:net'
import { parseAnswer, type RawAnswer, wholeLength } from './raw-answer.ts'

const PATIENCE_MS = 60_000

/** Sends the bytes, segment by segment, and reads until the server closes or one whole answer is in. */
export function rawExchange(port: number, ...segments: readonly (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    let text = ''
    const finish = (): void => {
      socket.destroy()
      if (text === '') reject(new Error('the server closed without an answer'))
      else resolve(parseAnswer(text))
    }
    socket.setEncoding('latin1')
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy()
      reject(new Error(`no whole answer after ${PATIENCE_MS} ms: ${text}`))
    })
    socket.on('error', (error) => {
      // A server that answers before it has read everything may reset the rest.
      if (text === '') reject(error)
      else finish()
    })
    socket.on('data', (chunk: string) => {
      text += chunk
      if (wholeLength(text) !== null) finish()
    })
    socket.on('end', finish)
    socket.on('connect', async () => {
      for (const segment of segments) {
        socket.write(segment, 'latin1')
        // A turn of the event loop, so that segments arrive as segments.
        await new Promise((resume) => setImmediate(resume))
      }
    })
  })
}

/** Header names and values; a list sends the header several times. */
export type RawHeaders = Readonly<Record<string, string | readonly string[]>>

/** A request line and headers, as given; `connection: close` unless headers say otherwise. */
export function rawRequest(method: string, target: string, headers: RawHeaders = {}, body = ''): string {
  const all: Record<string, string | readonly string[]> = { host: '127.0.0.1', connection: 'close', ...headers }
  if (body !== '') all['content-length'] = String(Buffer.byteLength(body))
  const lines = Object.entries(all).flatMap(([name, given]) => [given].flat().map((value) => `${name}: ${value}`))
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${Buffer.from(body).toString('latin1')}`
}

/** The opening of a WebSocket (RFC 6455, 4.1), with the key of the RFC's own example. */
export function rawUpgrade(target: string, headers: RawHeaders = {}): string {
  return rawRequest('GET', target, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers
  })
}
