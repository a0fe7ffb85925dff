/** Deletion with days of grace: cancelled, completed, and completed after a failure. */
import t from 'tap'
import { AccountsApp, ADA, PASSWORD, tokenOf } from '../support/accounts-app.ts'

const DAY = 86_400_000

t.test('a deletion ends every session at once, and the account when its days are over', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  const { id = '' } = (await app.fastify.userAccounts.find(ADA)) ?? {}
  const answer = await browser.post('/deletion')
  t.strictSame([answer.statusCode, answer.json()], [202, { deleteAt: app.clock.now() + 14 * DAY }])
  t.equal((await browser.me()).statusCode, 401)
  const letter = await app.letter()
  t.match(letter, { to: ADA, subject: 'Your account will be deleted' })
  t.strictSame(await app.sweptAfter(14 * DAY - 1), [])
  t.equal((await app.fastify.userAccounts.get(id))?.identifier, ADA)
  t.match(await app.sweptAfter(1), [{ to: ADA, subject: 'Your account was deleted' }])
  t.equal(await app.fastify.userAccounts.get(id), null)
  t.equal((await app.post('/deletion/cancel-by-link', { token: tokenOf(letter) })).statusCode, 400)
  t.match(app.events('account.deletion_requested'), [{ resource: ADA }])
  await app.signedIn()
  t.match((await app.fastify.userAccounts.find(ADA))?.id, /./, 'the address is free again')
})

t.test('the owner cancels it by the link, or signed in', async (t) => {
  const app = await AccountsApp.start(t)
  const first = await app.signedIn()
  await first.post('/deletion')
  const token = tokenOf(await app.letter())
  t.equal((await app.post('/deletion/cancel-by-link', { token })).statusCode, 200)
  t.match(await app.letters(), [{ to: ADA, subject: 'Your account will not be deleted' }])
  t.equal((await app.post('/deletion/cancel-by-link', { token })).statusCode, 400)

  await first.login()
  await first.post('/deletion')
  await app.letters()
  const second = app.browser()
  await second.login()
  t.match((await second.me()).json(), { deleteAt: app.clock.now() + 14 * DAY })
  t.equal((await second.post('/deletion/cancel')).statusCode, 200)
  t.match((await second.me()).json(), { deleteAt: null })
  t.equal((await app.letters()).length, 1)
  t.equal((await second.post('/deletion/cancel')).statusCode, 200)
  t.strictSame(await app.letters(), [], 'what is not to go is not cancelled')
  t.strictSame(await app.sweptAfter(15 * DAY), [])
  t.equal((await app.browser().login()).statusCode, 200)
  t.equal(app.events('account.deletion_cancelled').length, 2)
})

t.test('each part of the data goes first; one that fails is asked again, and holds up no other account', async (t) => {
  const erased: string[] = []
  let fails = true
  const app = await AccountsApp.start(t, {
    described: {
      orders: {
        export: () => [],
        erase: ({ identifier }) => {
          if (fails && identifier === ADA) throw new Error('the shop is away')
          erased.push(identifier)
        }
      },
      photos: { export: () => [] }
    }
  })
  for (const address of [ADA, 'bob@example.org']) {
    const browser = await app.signedIn(address, PASSWORD)
    await browser.post('/deletion')
    await app.letters()
  }
  await app.sweptAfter(14 * DAY)
  t.strictSame(erased, ['bob@example.org'])
  t.match(await app.fastify.userAccounts.find(ADA), { identifier: ADA })
  t.equal(await app.fastify.userAccounts.find('bob@example.org'), null)
  fails = false
  app.clock.advance(3_600_000)
  await app.letters()
  t.strictSame(erased, ['bob@example.org', ADA])
  t.equal(await app.fastify.userAccounts.find(ADA), null)
})

t.test('without days of grace it goes with the next sweep', async (t) => {
  const app = await AccountsApp.start(t, { options: { signUp: {}, deletion: { graceDays: 0 } } })
  const browser = await app.signedIn()
  await browser.post('/deletion')
  await app.sweptAfter(0)
  t.equal(await app.fastify.userAccounts.find(ADA), null)
})

t.test('the schedule sweeps every ten minutes, on one instance', async (t) => {
  const app = await AccountsApp.start(t)
  t.match(await app.fastify.jobs.schedules.list(), [
    { name: 'svc.accounts.sweep', cron: '*/10 * * * *', paused: false }
  ])
})

t.test('an account whose login name is no address is deleted, and cancels signed in alone', async (t) => {
  const app = await AccountsApp.start(t)
  await app.fastify.userAccounts.create({ identifier: 'ada', password: PASSWORD, roles: [] })
  const browser = app.browser()
  await browser.login('ada')
  const refused = await browser.post('/export')
  t.strictSame([refused.statusCode, refused.json().code], [400, 'SVC_ACCOUNTS_ADDRESS'], 'no link can go there')
  t.equal((await browser.post('/deletion')).statusCode, 202)
  t.strictSame(await app.sweptAfter(14 * DAY), [])
  t.equal(await app.fastify.userAccounts.find('ada'), null)
})

t.test('the last administrator stays, also one who becomes the last within the days of grace', async (t) => {
  const app = await AccountsApp.start(t)
  const { userAccounts } = app.fastify
  const [ada, bob] = ['ada', 'bob']
  for (const identifier of [ada, bob]) {
    await userAccounts.create({ identifier, password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
  }
  await userAccounts.setLocked(bob, true)
  const browser = app.browser()
  await browser.login(ada)
  const refused = await browser.post('/deletion')
  t.strictSame([refused.statusCode, refused.json().code], [409, 'SVC_SEC_LAST_ADMIN'])
  t.match((await browser.me()).json(), { deleteAt: null }, 'nothing has begun')

  await userAccounts.setLocked(bob, false)
  t.equal((await browser.post('/deletion')).statusCode, 202)
  await userAccounts.setEnabled(bob, false)
  await app.sweptAfter(14 * DAY)
  t.equal((await userAccounts.find(ada))?.identifier, ada)
  await userAccounts.setEnabled(bob, true)
  app.clock.advance(3_600_000)
  await app.letters()
  t.equal(await userAccounts.find(ada), null, 'it goes once somebody else administers')
})

t.test('a login alone cancels nothing: it says when the account goes', async (t) => {
  const app = await AccountsApp.start(t)
  const browser = await app.signedIn()
  const { deleteAt } = (await browser.post('/deletion')).json()
  await app.letters()
  t.equal((await browser.login()).statusCode, 200)
  t.match((await browser.me()).json(), { deleteAt })
  await app.sweptAfter(14 * DAY)
  t.equal(await app.fastify.userAccounts.find(ADA), null)
})
