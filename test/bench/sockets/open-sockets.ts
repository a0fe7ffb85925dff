/** Opens WebSockets that say nothing, as bytes over TCP: a client that keeps no more than the connection itself. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type RawHeaders, rawUpgrade } from '../../support/raw-http.ts'

/** How many openings are under way at once: fewer than the queue of a listening socket takes. */
const AT_ONCE = 100

export async function openSockets(port: number, path: string, count: number, headers: RawHeaders): Promise<Socket[]> {
  const upgrade = rawUpgrade(path, headers)
  const open: Socket[] = []
  const openNext = async (): Promise<void> => {
    while (open.length < count) {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
      open.push(socket)
      socket.write(upgrade)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      if (!answer.toString('latin1').startsWith('HTTP/1.1 101 ')) throw new Error(`not opened: ${answer}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, openNext))
  return open
}

export async function closeSockets(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(
    sockets.map((socket) => {
      const closed = once(socket, 'close')
      socket.destroy()
      return closed
    })
  )
}
