/** Ports of loopback: the one a server listens on, and one that is free. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port
}

/** A port that is free now, for a server that is given its port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}
