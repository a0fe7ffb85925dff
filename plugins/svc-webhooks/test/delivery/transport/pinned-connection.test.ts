/** The last gate: a literal host never reaches the pinned look-up, so the peer itself is compared. */
import { once } from 'node:events'
import tls from 'node:tls'
import t from 'tap'
import { openPinnedSocket } from '../../../src/delivery/transport/pinned-connection.ts'
import { SsrfError } from '../../../src/ssrf/ssrf-error.ts'
import { answer, RawReceiver } from '../../support/raw-receiver.ts'

const context = tls.createSecureContext()

t.test('a peer that is not among the checked addresses gets not a byte', async (t) => {
  const receiver = await RawReceiver.start((socket) => socket.write(answer(200)))
  const outcomes: (Error | null)[] = []
  const target = {
    url: new URL(`http://127.0.0.1:${receiver.port}/`),
    addresses: [{ address: '8.8.8.8', family: 4 }] as const
  }
  const socket = openPinnedSocket(target, context, (error) => outcomes.push(error))
  await new Promise((resolve) => socket.once('close', resolve))
  t.equal(outcomes.length, 1)
  t.ok(outcomes[0] instanceof SsrfError)
  t.match(outcomes[0], { reason: 'address' })
  await receiver.deserted()
  t.equal(receiver.requests.length, 0)
  await receiver.close()
})

t.test('a checked peer is handed over once, and its later errors are not ours', async (t) => {
  const receiver = await RawReceiver.start(() => undefined)
  const outcomes: (Error | null)[] = []
  const target = {
    url: new URL(`http://127.0.0.1:${receiver.port}/`),
    addresses: [{ address: '127.0.0.1', family: 4 }] as const
  }
  const socket = openPinnedSocket(target, context, (error) => outcomes.push(error))
  await once(socket, 'connect')
  const failed = once(socket, 'error')
  socket.destroy(new Error('later'))
  await failed
  t.strictSame(outcomes, [null])
  await receiver.close()
})
