/** Open sockets of members: ended at once by this process, checked again before a message, refused while nothing answers. */
import type { FastifyRequest } from 'fastify'
import { createAccessToken } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { SocketMembers } from '../../src/active/socket-members.ts'
import { OrganizationNotFound } from '../../src/errors.ts'

function opened(identifier = 'ada') {
  const clock = new ManualClock()
  const state = { failure: null as Error | null, checks: 0, ended: 0 }
  const enter = async () => {
    state.checks += 1
    if (state.failure !== null) throw state.failure
    return {} as never
  }
  const sockets = new SocketMembers({ actives: { enter }, clock, renewed: () => undefined })
  const token = createAccessToken({ type: 'session', user: { identifier } })
  const request = { token, liveIdentity: null } as unknown as FastifyRequest
  sockets.watch(request, 'acme')
  const identity = request.liveIdentity
  if (identity === null) throw new Error('no identity')
  identity.whenOver(() => {
    state.ended += 1
  })
  return { clock, state, sockets, identity }
}

t.test('what this process ends is closed at once, and once', async (t) => {
  const { sockets, identity, state } = opened()
  sockets.end({ organization: 'globex' })
  sockets.end({ organization: 'acme', identifier: 'bob' })
  t.equal(state.ended, 0)
  sockets.end({ organization: 'acme', identifier: 'ada' })
  sockets.end({ organization: 'acme' })
  t.equal(state.ended, 1)
  t.equal(await identity.holds(), false)
})

t.test('before a message the membership is checked again, at most once a second', async (t) => {
  const { clock, identity, state } = opened()
  t.equal(await identity.holds(), true)
  t.equal(state.checks, 0)
  clock.advance(1000)
  t.equal(await identity.holds(), true)
  t.equal(await identity.holds(), true)
  t.equal(state.checks, 1)
  state.failure = new OrganizationNotFound()
  clock.advance(1000)
  t.equal(await identity.holds(), false)
  t.equal(state.ended, 1)
})

t.test('a store that does not answer ends nothing, and refuses messages meanwhile', async (t) => {
  const { clock, identity, state } = opened()
  state.failure = Object.assign(new Error('no answer'), { statusCode: 503 })
  clock.advance(1000)
  t.equal(await identity.holds(), false)
  t.same([identity.unavailable, state.ended], [true, 0])
  state.failure = null
  clock.advance(1000)
  t.equal(await identity.holds(), true)
  t.equal(identity.unavailable, false)
})
