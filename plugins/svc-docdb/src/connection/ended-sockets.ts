/**
 * A mend of the driver (mongodb 7.2 to 7.8): a command that is written just as its socket ends waits for a `drain` that
 * never comes. Of an operation that is one answer; of the monitor of a server it is all later ones, as it never looks
 * again. Here a connection that ends refuses what waits for its socket, and what is written to it later.
 */
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'

/** As much of the driver's class as is mended: none of it is public. */
interface DriverConnection {
  readonly closed: boolean
  readonly socket: Socket
  cleanup(error: Error): void
}

const mended = new WeakSet<DriverConnection>()

/** Of the driver that Mongoose has: an application may have another one beside it. */
export function driverConnections(): { new (socket: Socket, options: object): DriverConnection } {
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'))
  return (ofMongoose('mongodb/lib/cmap/connection.js') as { Connection: ReturnType<typeof driverConnections> })
    .Connection
}

/** Once for the process. */
export function refuseEndedSockets(): void {
  const connection: DriverConnection = driverConnections().prototype
  if (mended.has(connection)) return
  mended.add(connection)
  const { cleanup } = connection
  connection.cleanup = function (this: DriverConnection, error) {
    if (this.closed) return
    cleanup.call(this, error)
    const { socket } = this
    socket.write = () => {
      throw error
    }
    socket.emit('error', error)
  }
}
