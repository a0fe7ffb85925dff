/** Commands on a socket that ends, without and with the mend of the driver. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { driverConnections, refuseEndedSockets } from '../../src/connection/ended-sockets.ts'

interface Commands {
  command(namespace: object, command: object): Promise<unknown>
}

async function connected(t: Test): Promise<{ connection: Commands; socket: Socket; far: Socket }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const arrived = once(server, 'connection') as Promise<[Socket]>
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [[far]] = await Promise.all([arrived, once(socket, 'connect')])
  t.teardown(() => void far.destroy())
  const Connection = driverConnections()
  const connection = new Connection(socket, { hostAddress: '127.0.0.1', id: 1, generation: 0 })
  return { connection: connection as unknown as Commands, socket, far }
}

const ping = (connection: Commands) => connection.command({ db: 'admin', collection: '$cmd' }, { ping: 1 })

refuseEndedSockets()
refuseEndedSockets()

t.test('a command that is written after its socket has gone is refused', async (t) => {
  const { connection, socket } = await connected(t)
  const asked = ping(connection)
  socket.destroy()
  await t.rejects(asked, { name: 'MongoNetworkError' })
  await t.rejects(ping(connection), { name: 'MongoNetworkError' })
})

t.test('so is one that waits until its socket has room', async (t) => {
  const { connection, far } = await connected(t)
  far.pause()
  const asked = connection.command({ db: 'admin', collection: '$cmd' }, { insert: 'x', filler: 'x'.repeat(16_000_000) })
  await new Promise(setImmediate)
  far.resetAndDestroy()
  await t.rejects(asked, { name: 'MongoNetworkError' })
})

t.test('and one to a server that has ended the connection', async (t) => {
  const { connection, socket, far } = await connected(t)
  far.end()
  await once(socket.resume(), 'end')
  await t.rejects(ping(connection), { name: 'MongoNetworkError' })
})
