/** A refresh token that comes again: within seconds, from two pages at once or after an answer that was lost, and later. On every database. */
import t from 'tap'
import { KEY_SET, PASSWORD } from '../support/account-app.ts'
import { accountsOn } from '../support/account-databases.ts'
import { onEveryDatabase } from '../support/entity-databases.ts'

await onEveryDatabase(t, [], async (t, database) => {
  const { app, grant, renew, advance } = await accountsOn(t, database, { jwt: { ...KEY_SET, refreshGraceS: 5 } })
  await app.userAccounts.create({ identifier: 'ann', password: PASSWORD, roles: [] })
  const bearer = async (token: string) =>
    (await app.inject({ url: '/in', headers: { authorization: `Bearer ${token}` } })).statusCode

  await t.test('I3: pages that renew at once get one successor, and the login goes on', async (t) => {
    const first = await grant('ann')
    const answers = await Promise.all(Array.from({ length: 8 }, () => renew(first.refresh)))
    t.same(
      answers.map(({ status }) => status),
      answers.map(() => 200)
    )
    t.equal(new Set(answers.map(({ refresh }) => refresh)).size, 1, 'the same successor for each')
    for (const { access } of answers) t.equal(await bearer(access), 200)
    const next = await renew(answers[0]?.refresh ?? '')
    t.equal(next.status, 200)
    t.not(next.refresh, answers[0]?.refresh)
    t.equal((await renew(next.refresh)).status, 200)
  })

  await t.test('I3: an answer that was lost is given again, for as long as the option says', async (t) => {
    const first = await grant('ann')
    const lost = await renew(first.refresh)
    advance(4000)
    const again = await renew(first.refresh)
    t.same([again.status, again.refresh], [200, lost.refresh])
    advance(1500)
    t.equal((await renew(first.refresh)).status, 401)
    t.equal((await renew(again.refresh)).status, 401, 'its family ended')
    t.same([await bearer(lost.access), await bearer(again.access)], [401, 401], 'and what came of it')
  })

  await t.test('I3: two generations back it is a reuse, however quick', async (t) => {
    const first = await grant('ann')
    const second = await renew(first.refresh)
    const third = await renew(second.refresh)
    t.equal((await renew(second.refresh)).refresh, third.refresh, 'one back is none')
    t.equal((await renew(first.refresh)).status, 401)
    t.same([(await renew(second.refresh)).status, (await renew(third.refresh)).status], [401, 401])
    t.equal(await bearer(third.access), 401)
  })

  await t.test('I3: what was ended meanwhile does not come back', async (t) => {
    const ended = await grant('ann')
    const next = await renew(ended.refresh)
    t.ok(await app.tokens.revoke(next.refresh))
    t.equal((await renew(ended.refresh)).status, 401)
    const reset = await grant('ann')
    await renew(reset.refresh)
    await app.userAccounts.endEverything('ann')
    t.equal((await renew(reset.refresh)).status, 401)
  })
})

t.test('I3: with refreshGraceS 0 nothing comes again', async (t) => {
  const { app, grant, renew } = await accountsOn(t, [], { jwt: { ...KEY_SET, refreshGraceS: 0 } })
  await app.userAccounts.create({ identifier: 'ann', password: PASSWORD, roles: [] })
  const first = await grant('ann')
  const second = await renew(first.refresh)
  t.same([(await renew(first.refresh)).status, (await renew(second.refresh)).status], [401, 401])
})
