/** HTTP/1.1 over a bare socket: what is sent is exactly what was given, path included, and an answer is read as it came. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const PATIENCE_MS = 60_000

/** An answer as it came over the wire, read without a client library that would tidy it up. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The answer as it came, one character per byte. */
  readonly text: string
}

/**
 * How many characters of `text` are its first answer; `null` while it is not whole.
 * An answer without a length, such as one to HEAD, is whole when the server closes.
 */
export function wholeLength(text: string): number | null {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return null
  if (/^HTTP\/1\.1 (?:101|204|304)/.test(text)) return end + 4
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  return length !== undefined && text.length >= end + 4 + Number(length) ? end + 4 + Number(length) : null
}

export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  )
  const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString()
  return { status: Number(statusLine.split(' ')[1]), headers, body, text }
}

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

/** One kept-alive connection: exchanges one after the other on the same socket, bytes as they are given. */
export class RawConnection {
  readonly socket: Socket
  #received = ''
  #wake: (() => void) | null = null

  private constructor(socket: Socket) {
    this.socket = socket.setEncoding('latin1')
    this.socket.on('data', (chunk: string) => {
      this.#received += chunk
      this.#wake?.()
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => this.#wake?.())
  }

  static async open(port: number): Promise<RawConnection> {
    const connection = new RawConnection(connect({ host: '127.0.0.1', port, noDelay: true }))
    await once(connection.socket, 'connect')
    return connection
  }

  /** Over a socket that is connected, such as one of TLS. */
  static over(socket: Socket): RawConnection {
    return new RawConnection(socket)
  }

  /** Sends the segments, each in a turn of its own, and resolves with the next answer. Requests must not be HEAD. */
  async exchange(...segments: readonly string[]): Promise<RawAnswer> {
    for (const segment of segments) {
      this.socket.write(segment, 'latin1')
      await new Promise((resume) => setImmediate(resume))
    }
    return this.next()
  }

  /** The next answer; rejects when the connection ends before it is whole. */
  async next(): Promise<RawAnswer> {
    for (;;) {
      const length = wholeLength(this.#received)
      if (length !== null) {
        const text = this.#received.slice(0, length)
        this.#received = this.#received.slice(length)
        return parseAnswer(text)
      }
      if (this.socket.closed) throw new Error(`the connection ended after: ${this.#received}`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  close(): void {
    this.socket.destroy()
  }
}
