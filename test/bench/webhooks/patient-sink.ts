/**
 * A receiver as a child process: `/after/50` answers after 50 ms, `/never` not at
 * all. Asked by any message, it tells how many connections it had at once.
 */
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { portOf } from '../../support/ports.ts'

const open = new Set<Socket>()
let most = 0

const server = createServer((request, response) => {
  request.resume()
  const [, ms] = /^\/after\/(\d+)$/.exec(request.url ?? '') ?? []
  if (ms !== undefined) setTimeout(() => response.end('{}'), Number(ms))
})
server.keepAliveTimeout = 60_000
server.on('connection', (socket) => {
  open.add(socket)
  most = Math.max(most, open.size)
  socket.once('close', () => open.delete(socket))
})
server.listen(0, '127.0.0.1', () => process.send?.(portOf(server)))
process.on('message', () => process.send?.(most))
process.on('disconnect', () => process.exit(0))
