/**
 * Passes bytes on between a client and a server. Cut, it ends the connections that operations came by and refuses new ones,
 * and leaves those by which the driver looks after the server: as where a network takes no more connections.
 */
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface Relay {
  readonly port: number
  cut(): void
  mend(): void
}

export async function relayTo(t: Test, port: number, commands: readonly string[]): Promise<Relay> {
  const all = new Set<Socket>()
  const working = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    all.add(client)
    client.on('error', () => undefined)
    if (isCut) {
      client.destroy()
      return
    }
    const upstream = connect(port, '127.0.0.1')
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (commands.some((name) => text.includes(`${name}\0`))) working.add(client)
    })
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const client of all) client.destroy()
    server.close()
  })
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      isCut = true
      for (const client of working) client.destroy()
    },
    mend() {
      isCut = false
    }
  }
}
