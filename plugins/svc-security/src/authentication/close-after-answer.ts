/**
 * Closes the connection of a refused upgrade once its answer is out. Node gives
 * up a socket when it announces an upgrade, so nobody else would: a refused
 * caller could hold it, and the server could not close.
 */
import type { FastifyReply } from 'fastify'

export function closeAfterAnswer(reply: FastifyReply): void {
  const { raw } = reply
  const { socket } = raw
  reply.header('connection', 'close')
  raw.once('finish', () => socket?.destroySoon?.())
}
