/** Area `websocket`, sessions: an open socket ends with the session that opened it. */

import { sessionStore } from 'svc-security/stores'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import { API, accountApp } from '../../support/account-app.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { securityCase } from './security-case.ts'
import { TalkController } from './talk-controller.ts'

async function talking(t: Test) {
  const clock = new ManualClock()
  const store = inMemory(sessionStore, { clock })
  let reads = 0
  const state: { failure: Error | null } = { failure: null }
  const find = store.find.bind(store)
  store.find = async (id) => {
    reads += 1
    if (state.failure !== null) throw state.failure
    return find(id)
  }
  const app = await accountApp(t, { controllers: [TalkController], parts: { clock, stores: { session: store } } })
  const person = app.browser()
  await person.login()
  const headers = { cookie: person.cookie, origin: `http://127.0.0.1:${app.port}` }
  const socket = await SocketClient.opened(app.port, '/talk/who', headers)
  t.teardown(() => socket.close())
  t.strictSame(await socket.ask('who'), { who: 'alice' })
  return { ...app, clock, person, socket, state, store, reads: () => reads }
}

/** After the window, the next message is the one that looks again. */
async function refused(t: Test, { clock, socket, records }: Awaited<ReturnType<typeof talking>>) {
  clock.advance(250)
  socket.ws.send('who')
  t.match(await socket.closed, { code: 4001 })
  t.match(records.at(-1), { category: 'ws', action: 'frame.denied', outcome: 'denied', actor: 'alice' })
}

securityCase(
  'WSK-11',
  async (t) => {
    const talk = await talking(t)
    talk.alice.locked = true
    await refused(t, talk)
  },
  'refused, and the socket is closed with 4001'
)

securityCase('WSK-12', async (t) => {
  const talk = await talking(t)
  talk.state.failure = new Error('down')
  await refused(t, talk)
})

securityCase('WSK-13', async (t) => {
  const talk = await talking(t)
  const { items } = await talk.store.list({}, {})
  await talk.store.update(items[0]?.id ?? '', { user: 'mallory' })
  await refused(t, talk)
})

securityCase('WSK-19', async (t) => {
  const { clock, reads, socket } = await talking(t)
  const before = reads()
  for (let time = 0; time < 1000; time += 1) {
    if (time % 250 === 0) clock.advance(250)
    await socket.ask('who')
  }
  t.equal(reads() - before, 4, 'a thousand messages in four windows')
})

securityCase('WSK-23', async (t) => {
  const { person, socket } = await talking(t)
  await person.call('POST', `${API}/auth/logout`)
  t.match(await socket.closed, { code: 4001 }, 'at once, without a message')
})
