/** Sends bytes over a socket of its own and reads the answer until the server closes it: nothing normalises them. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** @param chunks each written as it is; a function runs before the next one is written */
export async function rawRequest(
  fastify: FastifyInstance,
  ...chunks: Array<string | (() => Promise<void>)>
): Promise<string> {
  const { port } = fastify.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  const received: Buffer[] = []
  socket.on('data', (data) => received.push(data))
  const closed = once(socket, 'close')
  for (const chunk of chunks) {
    if (typeof chunk === 'string') socket.write(chunk)
    else await chunk()
  }
  await closed
  return Buffer.concat(received).toString()
}

export function statusOf(answer: string): number {
  return Number(answer.split(' ')[1])
}

export function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
}
