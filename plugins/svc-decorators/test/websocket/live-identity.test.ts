/** The identity of an open socket is asked before each message; once it is over, the socket is closed with 4001. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import { ensureKernel } from 'svc-kernel'
import type { LiveIdentity } from 'svc-kernel/plugin'
import t from 'tap'
import svcDecorators, { controller, Message, WebSocket } from '../../src/index.ts'
import { listen } from '../support/listen.ts'
import { TestSocket } from '../support/test-socket.ts'

let served: string[] = []

@controller('/ws')
class Echo {
  @WebSocket('/echo') echo(@Message() text: string): string {
    served.push(text)
    return text
  }
}

/** Holds while its answer says so; a test may end it between messages. */
class StubIdentity implements LiveIdentity {
  unavailable = false
  answer: boolean | Promise<boolean> = true
  asked = 0
  ends = new Set<() => void>()

  holds(): boolean | Promise<boolean> {
    this.asked += 1
    return this.answer
  }

  whenChecked(): () => void {
    return () => undefined
  }

  whenOver(end: () => void): () => void {
    this.ends.add(end)
    return () => this.ends.delete(end)
  }

  recheck(): void {
    if (this.answer === false) for (const end of this.ends) end()
  }
}

t.test('a socket whose identity can end', async (t) => {
  const identity = new StubIdentity()
  const app = createFastify() as unknown as FastifyInstance
  await ensureKernel(app)
  app.addHook('onRequest', async (request) => {
    request.liveIdentity = identity
  })
  await app.register(svcDecorators, { controllers: [Echo] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())

  await t.test('is asked before each message', async (t) => {
    served = []
    const socket = await TestSocket.open(app, '/ws/echo')
    socket.send('one')
    t.equal((await socket.nextFrame()).data.toString(), '"one"')
    identity.answer = Promise.resolve(true)
    socket.send('two')
    t.equal((await socket.nextFrame()).data.toString(), '"two"')
    t.equal(identity.asked, 2)
    socket.ws.terminate()
    await socket.closed
  })

  for (const [title, answer] of [
    ['at once', false],
    ['after a look', Promise.resolve(false)]
  ] as const) {
    await t.test(`that does not hold, ${title}: 4001, and the message is not served`, async (t) => {
      served = []
      identity.answer = answer
      const socket = await TestSocket.open(app, '/ws/echo')
      socket.send('one')
      socket.send('two')
      t.match(await socket.closed, { code: 4001 })
      t.strictSame(served, [])
    })
  }

  await t.test('that ends between messages: 4001', async (t) => {
    identity.answer = true
    identity.ends.clear()
    const socket = await TestSocket.open(app, '/ws/echo')
    socket.send('one')
    await socket.nextFrame()
    for (const end of identity.ends) end()
    t.match(await socket.closed, { code: 4001, reason: 'the session or token has ended' })
  })

  await t.test('lets go of the socket when it closes', async (t) => {
    identity.ends.clear()
    const socket = await TestSocket.open(app, '/ws/echo')
    socket.send('one')
    await socket.nextFrame()
    t.equal(identity.ends.size, 1)
    socket.ws.close()
    await socket.closed
    while (identity.ends.size > 0) await new Promise(setImmediate)
    t.equal(identity.ends.size, 0)
  })
})

t.test('a socket without one is not asked', async (t) => {
  const socket = await TestSocket.open(await listen(t, [Echo]), '/ws/echo')
  socket.send('one')
  t.equal((await socket.nextFrame()).data.toString(), '"one"')
})
