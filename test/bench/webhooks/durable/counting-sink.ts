/** A receiver as a child process: answers every POST, counts messages by their id, and says when so many have come. */
import { createServer } from 'node:http'
import { portOf } from '../../../support/ports.ts'

export interface SinkReport {
  /** Requests beyond one per message. */
  readonly again: number
}

const seen = new Set<string>()
let requests = 0
let awaited = Number.POSITIVE_INFINITY

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => {
    response.end('{"received":true}')
    requests += 1
    seen.add(String(request.headers['webhook-id']))
    if (seen.size < awaited) return
    awaited = Number.POSITIVE_INFINITY
    process.send?.({ again: requests - seen.size } satisfies SinkReport)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(portOf(server)))
process.on('message', (count: number) => {
  seen.clear()
  requests = 0
  awaited = count
})
process.on('disconnect', () => process.exit(0))
