/** What a check of an open socket changes on its request, and what it must not: the subject, and the kind of proof. */
import type { FastifyRequest } from 'fastify'
import { type AccessToken, createAccessToken } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import type { AuthenticationContext } from '../../src/authentication/authenticators/authenticator.ts'
import { RealtimeIdentities } from '../../src/authentication/realtime-identities.ts'
import type { Revalidation } from '../../src/authentication/revalidation/revalidation.ts'
import type { SecurityJournal } from '../../src/journal/security-journal.ts'

const WINDOW_MS = 250

type Verdict = Awaited<ReturnType<Revalidation['check']>>

const alice = (roles: string[], more: object = {}) =>
  createAccessToken({ type: 'jwt', user: { identifier: 'alice', roles }, ...more })

/** @param checks of each proof, in order; what they give may change */
function watched(token: AccessToken, checks: Array<() => Verdict>) {
  const clock = new ManualClock()
  const told: string[] = []
  const journal = {
    mishap: (what: string) => void told.push(what),
    done: (event: object) => void told.push(JSON.stringify(event))
  } as unknown as SecurityJournal
  const revalidationsOf = () => checks.map((check) => ({ endsAt: () => null, check: () => check() }))
  const lacksFactor = ({ user }: AccessToken) => user.roles.includes('ROLE_STRICT')
  const parts = { clock, windowMs: WINDOW_MS, timeoutMs: 1000, journal, lacksFactor, revalidationsOf }
  const identities = new RealtimeIdentities(parts)
  const open = () => {
    const request = { user: token.user, token, routeOptions: { url: '/ws' } } as unknown as FastifyRequest
    identities.watch({ request } as AuthenticationContext, token)
    return request
  }
  return { open, told, later: () => clock.advance(WINDOW_MS) }
}

t.test('roles are those of the last check', async (t) => {
  let roles = ['ROLE_A']
  const { open, later } = watched(alice(['ROLE_A']), [() => alice(roles)])
  const request = open()
  t.equal(await request.liveIdentity?.holds(), true)
  roles = ['ROLE_B']
  t.equal(await request.liveIdentity?.holds(), true)
  t.same(request.user?.roles, ['ROLE_A'], 'not before the next check')
  later()
  t.equal(await request.liveIdentity?.holds(), true)
  t.same(request.user?.roles, ['ROLE_B'])
  t.equal(request.token?.user, request.user)
})

t.test('a role whose login needs a factor ends the identity that has shown none', async (t) => {
  let roles = ['ROLE_A']
  const { open, later } = watched(alice(['ROLE_A']), [() => alice(roles)])
  const request = open()
  t.equal(await request.liveIdentity?.holds(), true)
  roles = ['ROLE_A', 'ROLE_STRICT']
  later()
  t.equal(await request.liveIdentity?.holds(), false)
  t.same(request.user?.roles, ['ROLE_A'], 'the role never came')
})

t.test('a check that only says yes leaves everything as it is', async (t) => {
  const token = alice(['ROLE_A'])
  const { open } = watched(token, [() => true])
  const request = open()
  t.equal(await request.liveIdentity?.holds(), true)
  t.equal(request.token, token)
})

t.test('the kind of proof is that of the handshake, whatever a check says of its own', async (t) => {
  const proof = { carrier: 'authorization', ambient: false, subject: 'machine' } as const
  const token = alice(['ROLE_A'], { proof })
  const { open } = watched(token, [() => alice(['ROLE_B'], { proof: { ...proof, subject: 'person' } })])
  const request = open()
  t.equal(await request.liveIdentity?.holds(), true)
  t.same(request.user?.roles, ['ROLE_B'])
  t.equal(request.token?.proof, token.proof)
})

t.test('another subject, or none, ends the identity, and the request keeps who it was', async (t) => {
  const rows: [title: string, given: unknown][] = [
    ['another subject', createAccessToken({ type: 'jwt', user: { identifier: 'mallory', roles: ['ROLE_ADMIN'] } })],
    ['no identity', { roles: ['ROLE_ADMIN'] }]
  ]
  for (const [title, given] of rows) {
    const token = alice(['ROLE_A'])
    const { open, told } = watched(token, [() => given as AccessToken])
    const request = open()
    t.equal(await request.liveIdentity?.holds(), false, title)
    t.equal(request.token, token)
    t.same(
      told.map((line) => JSON.parse(line)),
      [
        {
          category: 'ws',
          action: 'frame.denied',
          outcome: 'denied',
          reason: 'identity_over',
          actor: 'alice',
          resource: '/ws'
        }
      ]
    )
  }
})

t.test('of several proofs the last one is shown; the others must be of the same subject', async (t) => {
  let first = alice(['ROLE_FIRST'])
  const { open, later } = watched(alice(['ROLE_A']), [() => first, () => alice(['ROLE_LAST'])])
  const request = open()
  t.equal(await request.liveIdentity?.holds(), true)
  t.same(request.user?.roles, ['ROLE_LAST'])
  first = createAccessToken({ type: 'jwt', user: { identifier: 'mallory', roles: [] } })
  later()
  t.equal(await request.liveIdentity?.holds(), false)
})

t.test('where the last proof has nothing new, the request stays as it is, whatever the others renew', async (t) => {
  const token = alice(['ROLE_A'])
  const { open } = watched(token, [() => alice(['ROLE_FIRST']), () => true])
  const request = open()
  t.equal(await request.liveIdentity?.holds(), true)
  t.equal(request.token, token)
})

t.test('an outage is logged once, however many sockets, until it is over', async (t) => {
  let down = true
  const check = () => {
    if (down) throw Object.assign(new Error('down'), { statusCode: 503 })
    return true
  }
  const { open, told, later } = watched(alice([]), [check])
  const [one, two] = [open(), open()]
  for (const request of [one, two]) t.equal(await request.liveIdentity?.holds(), false)
  t.equal(told.length, 1)
  t.match(told[0], /cannot be checked again/)
  down = false
  later()
  t.equal(await one.liveIdentity?.holds(), true)
  down = true
  later()
  for (const request of [one, two]) await request.liveIdentity?.holds()
  t.equal(told.length, 2, 'the next outage is another one')
})

t.test('without a proof to check again there is nothing to watch', async (t) => {
  t.equal(watched(alice([]), []).open().liveIdentity, undefined)
})
