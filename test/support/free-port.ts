/** A port that nobody listens on, for a server that is told its port. */
import { type AddressInfo, createServer } from 'node:net'

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  const { port } = server.address() as AddressInfo
  await new Promise((resume) => server.close(resume))
  return port
}
