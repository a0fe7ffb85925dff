/** The life of an account on SQLite, PostgreSQL and documents, by the API alone: from its sign-up to its deletion. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { onEveryEngine } from '../../support/engines.ts'
import { ACCEPTED, ADA, answered, BOB, DONE, NEW, named, OTHER, opened, PASSWORD, Person } from './accounts-world.ts'

t.test('the life of an account, over a restart', (t) =>
  onEveryEngine(t, async (t, register) => {
    const clock = new ManualClock()
    const before = await opened(t, register, clock)
    const first = new Person(before)
    t.strictSame(answered(await first.post('/sign-up', { address: ADA, password: PASSWORD })), ACCEPTED)
    const token = await first.token(ADA, 'Confirm your address')
    await before.close()

    const fastify = await opened(t, register, clock)
    const ada = new Person(fastify)
    const redeemed = [0, 1, 2].map(() => ada.post('/verify', { token, password: PASSWORD }))
    const statuses = (await Promise.all(redeemed)).map(({ statusCode }) => statusCode)
    t.strictSame(statuses.sort(), [200, 400, 400], 'of uses at once, one')
    t.equal(await ada.login(ADA, PASSWORD), 200)

    t.strictSame(answered(await ada.post('/address', { address: NEW })), ACCEPTED)
    const confirm = { token: await ada.token(NEW, 'Confirm your new address') }
    t.strictSame(answered(await ada.post('/address/confirm', confirm)), named(NEW))
    const undo = { token: await ada.token(ADA, 'address of your account changes') }
    t.strictSame(answered(await ada.post('/address/undo', undo)), DONE)
    t.equal(await ada.login(ADA, PASSWORD), 401, 'an account that was taken back has no password')
    const reset = { token: await ada.token(ADA, 'Reset'), password: OTHER }
    t.strictSame(answered(await ada.post('/reset/complete', reset)), DONE)
    t.equal(await ada.login(ADA, OTHER), 200)

    t.strictSame(answered(await ada.post('/export')), ACCEPTED)
    const archive = { token: await ada.token(ADA, 'downloaded') }
    t.match((await ada.post('/export/download', archive)).json(), { account: { identifier: ADA } })

    await fastify.accounts.invite({ address: BOB, roles: ['ROLE_BUYER'] })
    const bob = new Person(fastify)
    const invitation = { token: await bob.token(BOB, 'invited'), password: PASSWORD }
    t.strictSame(answered(await bob.post('/invitations/accept', invitation)), named(BOB))

    t.match(answered(await ada.post('/deletion')), { statusCode: 202 })
    clock.advance(14 * 86_400_000)
    await fastify.jobs.schedules.runNow('svc.accounts.sweep')
    await fastify.jobs.drain()
    t.strictSame(
      (await fastify.userAccounts.list({}, {})).items.map(({ identifier }) => identifier),
      [BOB]
    )
    t.equal(await ada.login(ADA, OTHER), 401)
  })
)
