/** One HTTP request written byte for byte on a socket: clients and `inject` normalise targets, attackers do not. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends `text` as it is and reads until the server closes. */
export async function exchange(app: FastifyInstance, text: string): Promise<RawAnswer> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
  })
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return answer(received)
}

export function rawRequest(
  app: FastifyInstance,
  target: string,
  { method = 'GET', headers = [] }: { method?: string; headers?: readonly string[] } = {}
): Promise<RawAnswer> {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers]
  return exchange(app, `${lines.join('\r\n')}\r\n\r\n`)
}

/** An upgrade request; the socket is closed by us once the answer is there. */
export async function rawUpgrade(app: FastifyInstance, target: string, headers: readonly string[]): Promise<RawAnswer> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const lines = [
    `GET ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...headers.map((line) => line.replace('{port}', String(port)))
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  let received = ''
  socket.setEncoding('latin1')
  for await (const chunk of socket) {
    received += chunk
    if (received.includes('\r\n\r\n')) break
  }
  socket.destroy()
  return answer(received)
}

function answer(received: string): RawAnswer {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), head, body: Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString() }
}
