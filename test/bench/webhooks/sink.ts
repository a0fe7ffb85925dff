/** A receiver as a child process: takes every POST, answers 200 with a few bytes, keeps its connections. */
import { createServer } from 'node:http'
import { portOf } from '../../support/ports.ts'

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => response.end('{"received":true}'))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(portOf(server))
})
process.on('disconnect', () => process.exit(0))
