/** Counts `Authorization` headers: Node keeps the first of several in silence, another hop may keep the last. */
import type { IncomingMessage } from 'node:http'

const NAME = 'authorization'

export function hasTwoAuthorizations({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  // An injected upgrade request of @fastify/websocket is a plain object without raw headers.
  if (rawHeaders === undefined) return false
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === NAME.length && name.toLowerCase() === NAME) count += 1
  }
  return count > 1
}
