/** What a socket of an authenticator without `liveness` may, by what became of its user. */
import { createAccessToken } from 'svc-kernel'
import t from 'tap'
import { SubjectRevalidation } from '../../../src/authentication/revalidation/subject-revalidation.ts'
import type { LoadedUser } from '../../../src/users/user-source.ts'

const user = (roles: readonly string[], more: Partial<LoadedUser> = {}): LoadedUser =>
  ({ id: '1', identifier: 'alice', roles, enabled: true, locked: false, passwordHash: null, ...more }) as LoadedUser

function watched(held: readonly string[], first: LoadedUser | null, token: object = {}) {
  const state = { user: first, revoked: false, strangers: 0, since: -1 }
  const proof = createAccessToken({ type: 'badge', user: { identifier: 'alice', roles: held }, ...token })
  const sources = {
    users: { findByIdentifier: async () => state.user } as never,
    tokens: {
      revokedUntil: async (_token: unknown, since: number) => {
        state.since = since
        return state.revoked
      },
      whenRevoked: (_token: unknown, end: () => void) => end
    } as never,
    stranger: () => {
      state.strangers += 1
    }
  }
  return { state, revalidation: new SubjectRevalidation(proof, 1000, sources) }
}

const rolesOf = (answer: unknown) => (answer as { user: { roles: readonly string[] } }).user.roles

const rows: Array<[what: string, held: string[], before: string[], after: string[], expected: string[]]> = [
  ['all roles are the user’s: they are those of now', ['A', 'B'], ['A', 'B'], ['C'], ['C']],
  ['a role that the user lost is gone, one of the authenticator stays', ['A', 'OWN'], ['A'], [], ['OWN']],
  ['what the user gains beside roles of the authenticator is not given', ['A', 'OWN'], ['A'], ['A', 'B'], ['A', 'OWN']]
]

for (const [what, held, before, after, expected] of rows) {
  t.test(`P1: ${what}`, async (t) => {
    const { state, revalidation } = watched(held, user(before))
    const stop = revalidation.watch(() => undefined)
    await revalidation.check()
    state.user = user(after)
    t.strictSame(rolesOf(await revalidation.check()), expected)
    stop()
  })
}

t.test('P1: a user who is gone, locked or revoked holds no more; a stranger is told once', async (t) => {
  const gone = watched(['A'], null)
  t.equal(await gone.revalidation.check(), false)
  t.equal(await gone.revalidation.check(), false)
  t.equal(gone.state.strangers, 1)
  const locked = watched(['A'], user(['A'], { locked: true }))
  t.equal(await locked.revalidation.check(), false)
  const revoked = watched(['A'], user(['A']), { issuedAt: 7 })
  revoked.state.revoked = true
  t.equal(await revoked.revalidation.check(), false)
  t.equal(revoked.state.since, 7, 'from when the token was issued, where it says so')
})

t.test('P1: its end is that of its token, and a look that fails is made again', async (t) => {
  t.equal(watched(['A'], user(['A'])).revalidation.endsAt(), null)
  t.equal(watched(['A'], user(['A']), { expiresAt: 5 }).revalidation.endsAt(), 5)
  const failing = new SubjectRevalidation(createAccessToken({ type: 'badge', user: { identifier: 'alice' } }), 0, {
    users: { findByIdentifier: async () => Promise.reject(new Error('away')) } as never,
    tokens: { whenRevoked: () => () => undefined } as never,
    stranger: () => undefined
  })
  failing.watch(() => undefined)
  await t.rejects(failing.check(), { statusCode: 503 } as never)
})
