/** `audit.durability: 'strict'` over sockets: a message, too, is answered only when what it recorded is stored. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcDecorators, { controller, WebSocket } from 'svc-decorators'
import type { AuditEvent } from 'svc-kernel'
import svcRealtime from 'svc-realtime'
import t from 'tap'
import { WebSocket as Client } from 'ws'

const SUBSCRIBE = '{"jsonrpc":"2.0","id":1,"method":"channel.subscribe","params":{"channel":"closed"}}'

let served: FastifyInstance

@controller('/ws')
class Changes {
  @WebSocket('/change') change(): string {
    served.audit.record({ category: 'config', action: 'config.update', outcome: 'success', actor: 'root' })
    return 'changed'
  }
}

for (const [title, path, message, done, withheld] of [
  ['a message of a controller', '/ws/change', 'go', /changed/, /"statusCode":503.*SVC_AUDIT_UNSTORED/],
  ['a refused subscription', '/svc/realtime', SUBSCRIBE, /"error":\{"code":-32003/, /"status":503.*SVC_AUDIT_UNSTORED/]
] as const) {
  t.test(title, async (t) => {
    const stored: AuditEvent[] = []
    const held: (() => void)[] = []
    let down = false
    const store = {
      append: async (events: readonly AuditEvent[]) => {
        await new Promise<void>((resolve) => held.push(resolve))
        if (down) throw new Error('down')
        stored.push(...events)
      },
      list: async () => ({ items: [], limit: 1, hasNext: false, nextCursor: null }),
      purge: async () => 0
    }
    const fastify = Fastify()
    served = fastify
    t.teardown(() => fastify.close())
    await fastify.register(svcAudit, { durability: 'strict', parts: { stores: { audit: store } } })
    await fastify.register(svcRealtime, { channels: [{ pattern: 'closed', requires: ['ROLE_NOBODY'] }] })
    await fastify.register(svcDecorators, { controllers: [Changes] })
    await fastify.listen({ port: 0, host: '127.0.0.1' })
    const client = new Client(`ws://127.0.0.1:${(fastify.server.address() as AddressInfo).port}${path}`)
    t.teardown(() => client.terminate())
    const frames: string[] = []
    client.on('message', (data) => {
      const text = String(data)
      if (!text.includes('"method":')) frames.push(text)
    })
    await once(client, 'open')
    const ask = async () => {
      client.send(message)
      while (held.length === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    const release = async () => {
      const before = frames.length
      for (const go of held.splice(0)) go()
      while (frames.length === before) await once(client, 'message')
    }
    await ask()
    t.strictSame([frames.length, stored.length], [0, 0], 'it waits')
    await release()
    t.match(frames.at(-1), done)
    t.equal(stored.length, 1)
    down = true
    await ask()
    await release()
    t.match(frames.at(-1), withheld)
    down = false
    const closing = fastify.close()
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve))
    for (const go of held.splice(0)) go()
    await closing
    t.equal(stored.length, 2, 'what was withheld is recorded all the same')
  })
}
