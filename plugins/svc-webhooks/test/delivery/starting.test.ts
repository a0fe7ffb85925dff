/** The start of the dispatcher: with its endpoints, without them, and with endpoints that come late. */
import { traceFrom } from 'svc-kernel/plugin'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { TableWebhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { aDispatcher, anEndpoint, LOGIN, settle } from '../support/delivery-fixtures.ts'
import { HeldPromise } from '../support/held-promise.ts'

/** A store whose first load is answered when the test says so. */
class SlowStore extends TableWebhooksStore {
  readonly first = new HeldPromise<void>()

  override async enabled() {
    await this.first.promise
    return super.enabled()
  }
}

t.test('a silent store does not keep the server from starting; its endpoints count when they come', async (t) => {
  const clock = new ManualClock()
  const store = new SlowStore(memoryDatabase({ clock }), { clock })
  const fixture = aDispatcher({}, { clock, store })
  const { dispatcher, transport, audit, lines } = fixture
  await anEndpoint(fixture)
  const starting = dispatcher.start()
  await settle()
  clock.advance(4999)
  await settle()
  t.equal(audit.listeners, 0)
  clock.advance(1)
  await starting
  t.equal(audit.listeners, 1)
  t.match(lines, [{ fields: { code: 'SVC_WEBHOOKS_STORE' } }])
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const endTrace = traceFrom(() => traceparent)
  audit.record(LOGIN)
  endTrace()
  await settle()
  t.equal(transport.sent.length, 0, 'no endpoint is known yet')
  store.first.resolve()
  await settle()
  t.equal(transport.sent.length, 1, 'W5: it is sent once they are')
  t.equal(transport.sent[0]?.headers.traceparent, traceparent, 'in the trace of the event')
  audit.record(LOGIN)
  await settle()
  t.equal(transport.sent.length, 2)
  t.equal(clock.pending, 0)
  await dispatcher.close()
})

t.test('a store that fails: told once, asked again by a later event', async (t) => {
  const clock = new ManualClock()
  const store = new SlowStore(memoryDatabase({ clock }), { clock })
  const fixture = aDispatcher({}, { clock, store })
  const { dispatcher, transport, audit, lines } = fixture
  await anEndpoint(fixture)
  store.first.reject(new Error('no connection'))
  await dispatcher.start()
  t.match(lines, [{ fields: { code: 'SVC_WEBHOOKS_STORE', err: { message: 'no connection' } } }])
  Object.assign(store, { first: { promise: Promise.resolve() } })
  clock.advance(1000)
  audit.record(LOGIN)
  await settle()
  audit.record(LOGIN)
  await settle()
  t.equal(transport.sent.length, 2)
  t.equal(lines.length, 1)
  await dispatcher.close()
})
