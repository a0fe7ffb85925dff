/** A raw HTTP/1.1 exchange over a socket: what is sent is exactly what was given, path included. */
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The answer as it came over the wire. */
  readonly text: string
}

/** Sends the bytes, segment by segment, and reads until the server closes or a whole answer with content-length is in. */
export function rawExchange(port: number, ...segments: readonly (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    let text = ''
    const finish = (): void => {
      socket.destroy()
      resolve(parseAnswer(text))
    }
    socket.setEncoding('latin1')
    socket.setTimeout(10_000, () => {
      socket.destroy()
      reject(new Error(`no whole answer after 10 s: ${text}`))
    })
    socket.on('error', reject)
    socket.on('data', (chunk: string) => {
      text += chunk
      if (isWhole(text)) finish()
    })
    socket.on('end', finish)
    socket.on('connect', async () => {
      for (const segment of segments) {
        socket.write(segment)
        // A turn of the event loop, so that segments arrive as segments.
        await new Promise((resume) => setImmediate(resume))
      }
    })
  })
}

/** A request line and headers, as given; `connection: close` unless headers say otherwise. */
export function rawRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = ''
): string {
  const all: Record<string, string> = { host: '127.0.0.1', connection: 'close', ...headers }
  if (body !== '') all['content-length'] = String(Buffer.byteLength(body))
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  if (/^HTTP\/1\.1 101/.test(text)) return true
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  return length !== undefined && text.length >= end + 4 + Number(length)
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n'), text }
}
