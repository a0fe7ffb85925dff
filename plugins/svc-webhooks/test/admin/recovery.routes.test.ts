/** Recoveries over HTTP: what an endpoint missed is sent again, once asked for, and the answer says how far that is. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { AuditEvent } from 'svc-kernel'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { historyStore } from '../../src/history/history-store.ts'
import { anEntry } from '../../src/history/history-store-conformance.ts'
import { openApp } from '../support/admin-app.ts'
import { anEvent } from '../support/delivery-fixtures.ts'

async function recoveringApp(t: Test, { recorded = [] as AuditEvent[], status = 204 } = {}) {
  const received: { id: string; type: string; data: { id: string } }[] = []
  const server = createServer(async (request, response) => {
    received.push(JSON.parse(String(await buffer(request))))
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const history = inMemory(historyStore, { clock: new ManualClock() })
  const app = await openApp(t, {
    options: { history: {}, allowHttp: true, denyPrivateIps: false, parts: { stores: { history } } }
  })
  const journal = app.journal as typeof app.journal & { list: unknown }
  journal.list = async ({ since, until }: { since: number; until: number }) => {
    const items = recorded.filter(({ ts }) => ts >= since && ts <= until).toReversed()
    return { items, nextCursor: null }
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const made = await app.call('POST', '', { url, events: ['login.*'] })
  const { id } = made.body.endpoint
  const ended = async (job: string) => {
    for (;;) {
      const { body } = await app.call('GET', `/${id}/recover/${job}`)
      if (!['reading', 'sending'].includes(body.state)) return body
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { ...app, id, history, received, ended }
}

const at = (clock: ManualClock, id: string, given: Partial<AuditEvent> = {}) =>
  anEvent({ id, ts: clock.now(), ...given })

t.test('failed and missing messages are sent again, oldest first; delivered ones are not', async (t) => {
  const now = new ManualClock().now()
  const names = ['aud_failed', 'aud_ok', 'aud_missing', 'aud_mended', 'aud_other']
  const events = names.map((id, index) =>
    anEvent({ id, ts: now - 1000 + index, ...(id === 'aud_other' ? { action: 'logout' } : {}) })
  )
  const [failed, ok, , mended] = events as [AuditEvent, AuditEvent, AuditEvent, AuditEvent]
  const app = await recoveringApp(t, { recorded: events })
  const { call, id, history, received, ended, journal } = app
  const of = (name: string, event: AuditEvent, more: object) =>
    anEntry({ id: name, endpointId: id, ts: event.ts + 1, messageId: `msg_${event.id}`, event, ...more })
  await history.append([
    of('dlv_1', failed, { outcome: 'exhausted', status: 503 }),
    of('dlv_2', ok, {}),
    of('dlv_3', mended, { outcome: 'failed', status: 404 }),
    of('dlv_4', mended, { ts: mended.ts + 9 })
  ])
  const begun = await call('POST', `/${id}/recover`, { since: now - 5000 })
  t.equal(begun.status, 202)
  t.match(begun.headers.location, `/${id}/recover/${begun.body.id}`)
  t.strictSame(await ended(begun.body.id), {
    id: begun.body.id,
    state: 'done',
    total: 2,
    done: 2,
    failed: 0,
    error: null
  })
  t.strictSame(
    received.map(({ data }) => data.id),
    ['aud_failed', 'aud_missing']
  )
  t.equal(received[0]?.id, 'msg_aud_failed', 'under the id it had')
  t.match(journal.records.at(-1), { action: 'webhook.test', reason: 'recover', resource: id })

  // What is written behind the deliveries is there after a few turns.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  const again = await call('POST', `/${id}/recover`, { since: now - 5000 })
  t.match(await ended(again.body.id), { state: 'done', total: 0 }, 'nothing is missed any more')
})

t.test('one kind alone, and what fails again is counted', async (t) => {
  const clock = new ManualClock()
  const missing = at(clock, 'aud_m', { ts: clock.now() - 10 })
  const app = await recoveringApp(t, { recorded: [missing], status: 404 })
  const { call, id, ended, received } = app
  const none = await call('POST', `/${id}/recover`, { since: missing.ts, status: 'failed' })
  t.match(await ended(none.body.id), { state: 'done', total: 0 })
  const one = await call('POST', `/${id}/recover`, { since: missing.ts, until: missing.ts, status: 'missing' })
  t.match(await ended(one.body.id), { state: 'done', total: 1, done: 0, failed: 1 })
  const again = await call('POST', `/${id}/recover`, { since: missing.ts })
  await ended(again.body.id)
  t.equal(new Set(received.map(({ id: message }) => message)).size, 1, 'one event is one message')
})

t.test('one at a time per endpoint; cancelled, it sends no more', async (t) => {
  const clock = new ManualClock()
  const events = Array.from({ length: 25 }, (_, index) =>
    at(clock, `aud_${index + 100}`, { ts: clock.now() - 100 + index })
  )
  const { call, id, received, ended } = await recoveringApp(t, { recorded: events })
  const begun = await call('POST', `/${id}/recover`, { since: clock.now() - 1000 })
  t.match(await call('POST', `/${id}/recover`, { since: clock.now() - 1000 }), {
    status: 409,
    body: { code: 'SVC_WEBHOOKS_RECOVERING' }
  })
  // Ten, then it pauses on a clock that stands still.
  while (received.length < 10) await new Promise((resolve) => setImmediate(resolve))
  const cancelled = await call('DELETE', `/${id}/recover/${begun.body.id}`)
  t.match(cancelled, { status: 200, body: { state: 'cancelled', total: 25 } })
  t.match(await ended(begun.body.id), { state: 'cancelled' })
  t.equal(received.length, 10)
  t.equal((await call('POST', `/${id}/recover`, { since: clock.now() })).status, 202, 'another may begin')
})

t.test('what was recorded before it began, and is on its way to the journal, is not overlooked', async (t) => {
  const clock = new ManualClock()
  const recorded: AuditEvent[] = []
  const { call, id, ended, received, journal } = await recoveringApp(t, { recorded })
  journal.flushed = async () => {
    if (recorded.length === 0) recorded.push(at(clock, 'aud_late', { ts: clock.now() - 10 }))
  }
  const begun = await call('POST', `/${id}/recover`, { since: clock.now() - 1000 })
  t.match(await ended(begun.body.id), { state: 'done', total: 1, done: 1 })
  t.strictSame(
    received.map(({ data }) => data.id),
    ['aud_late']
  )
})

t.test('refused: bad ranges, unknown endpoints and jobs, no history', async (t) => {
  const { call, id, clock } = await recoveringApp(t)
  const now = clock.now()
  for (const body of [{ since: now + 1 }, { since: now, until: now - 1 }, { since: now - 2_592_001_000 }]) {
    t.match(await call('POST', `/${id}/recover`, body), { status: 400, body: { code: 'SVC_WEBHOOKS_BAD_RANGE' } })
  }
  for (const body of [undefined, {}, { since: 'x' }, { since: 1, status: 'lost' }, { since: 1, more: 1 }]) {
    t.equal((await call('POST', `/${id}/recover`, body)).status, 400, JSON.stringify(body))
  }
  t.equal((await call('POST', '/wh_x/recover', { since: now })).status, 404)
  for (const method of ['GET', 'DELETE'] as const) {
    t.match(await call(method, `/${id}/recover/rec_x`), {
      status: 404,
      body: { code: 'SVC_WEBHOOKS_RECOVERY_UNKNOWN' }
    })
  }
  const without = await openApp(t)
  const made = await without.call('POST', '', { url: 'https://a.example/', events: ['*'] })
  t.match(await without.call('POST', `/${made.body.endpoint.id}/recover`, { since: now }), {
    status: 503,
    body: { code: 'SVC_WEBHOOKS_UNAVAILABLE' }
  })
})

t.test('A7: where no history is kept no recovery is known, which is 404 and no outage', async (t) => {
  const { call } = await openApp(t)
  const made = await call('POST', '', { url: 'https://a.example/', events: ['*'] })
  for (const method of ['GET', 'DELETE'] as const) {
    for (const id of [made.body.endpoint.id, 'wh_x']) {
      t.match(await call(method, `/${id}/recover/rec_1`), {
        status: 404,
        body: { code: 'SVC_WEBHOOKS_RECOVERY_UNKNOWN' }
      })
    }
  }
})

t.test('nobody but an administrator', async (t) => {
  const { fastify, id } = await recoveringApp(t)
  const API = '/svc/security/api/webhooks'
  for (const roles of [undefined, 'ROLE_USER']) {
    for (const [method, path] of [
      ['POST', 'recover'],
      ['GET', 'recover/rec_x'],
      ['DELETE', 'recover/rec_x']
    ] as const) {
      const headers = roles === undefined ? {} : { 'x-roles': roles }
      const { statusCode } = await fastify.inject({ method, url: `${API}/${id}/${path}`, headers })
      t.equal(statusCode, 403, `${method} ${path} as ${roles}`)
    }
  }
})
