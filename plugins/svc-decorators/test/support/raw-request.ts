/** Bytes over a raw socket, as they are; the answer until the server closes. */

import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

export async function rawRequest(fastify: FastifyInstance, ...chunks: Array<string | Buffer>): Promise<string> {
  const { port } = fastify.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port })
  const answer: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    answer.push(chunk)
  })
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      resolve()
    })
    socket.on('error', () => undefined)
  })
  for (const chunk of chunks) {
    await new Promise<void>((resolve) => {
      socket.write(chunk, () => {
        resolve()
      })
    })
  }
  await closed
  return Buffer.concat(answer).toString('latin1')
}

/** The body of a raw answer. */
export function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4)
}
