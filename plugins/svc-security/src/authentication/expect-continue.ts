/** `Expect: 100-continue`, said when the body is first read: a refused caller gets its 401 or 403 instead. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * `Expect: 100-continue` (RFC 9110, 10.1.1): the caller waits with its body for our answer. Node says "continue" before
 * the firewall has seen the request; here it is said when the body is first read, thus after firewall and guard. Where
 * it was never said, Node closes the connection, as the body may still come.
 *
 * A server that has a listener for the expectation already is left as it is.
 */
export function deferContinue(server: Pick<Server, 'listenerCount' | 'on' | 'emit'>): void {
  if (server.listenerCount('checkContinue') > 0) return
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.on('newListener', function invite(event: string | symbol) {
      if (event !== 'data' && event !== 'readable') return
      request.off('newListener', invite)
      if (!response.headersSent) response.writeContinue()
    })
    server.emit('request', request, response)
  })
}
