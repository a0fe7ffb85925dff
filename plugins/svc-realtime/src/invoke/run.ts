/** One call on its way through the server, known to the hook that meets it there. */
import type { IncomingMessage } from 'node:http'

export interface Run {
  /** Set when the matched route does not let sockets call it. */
  refused: boolean
}

export const runs = new WeakMap<Pick<IncomingMessage, 'headers'>, Run>()
