/**
 * What one caller is refused is nobody else's answer: no cache may keep it (RFC 6750,
 * 5.3), nor give it to whoever asks with another credential (RFC 9110, 12.5.5).
 */
import type { FastifyReply } from 'fastify'

const CREDENTIALS = 'authorization, cookie'

/** Sets `Cache-Control: no-store`, and adds the headers that carry credentials to `Vary`. For answers that refuse. */
export function withholdFromCaches(reply: FastifyReply): void {
  const others = reply.getHeader('vary')
  reply.header('cache-control', 'no-store')
  reply.header('vary', others === undefined ? CREDENTIALS : [others, CREDENTIALS].flat().join(', '))
}
