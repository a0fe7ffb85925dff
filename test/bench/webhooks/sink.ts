/** A receiver as a child process: takes every POST, answers 200 with a few bytes, keeps its connections. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => response.end('{"received":true}'))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.on('disconnect', () => process.exit(0))
