/**
 * Nobody learns who has an account: for addresses with and without one, answers are the same to the byte over two thousand
 * tries, whatever became of the mail. How long they took is reported and not judged.
 */
import { performance } from 'node:perf_hooks'
import type { Delivery, MailTransport } from 'svc-mail'
import t from 'tap'
import { AccountsApp, ADA, OTHER_PASSWORD, PASSWORD } from '../support/accounts-app.ts'

const TRIES = 1000
const BLOCK = 50

/** What differs between any two answers. */
const VARIES = ['date']

function shown(answer: Awaited<ReturnType<AccountsApp['post']>>): string {
  const headers = Object.entries(answer.headers).filter(([name]) => !VARIES.includes(name))
  return JSON.stringify([answer.statusCode, headers, answer.payload])
}

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** How far the ranks of two samples are apart, in standard deviations of what chance gives; no value occurs twice, as good as. */
function rankSum(first: readonly number[], second: readonly number[]): number {
  const all = [...first.map((time) => [time, 1] as const), ...second.map((time) => [time, 0] as const)]
  all.sort(([a], [b]) => a - b)
  const ranks = all.reduce((sum, [, isFirst], index) => sum + isFirst * (index + 1), 0)
  const [n, m] = [first.length, second.length]
  return (ranks - (n * (n + m + 1)) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
}

t.test('2,000 resets: known and unknown addresses get the same bytes', async (t) => {
  const limits = { perAddress: '1000000/s', perNetwork: '1000000/s' }
  const app = await AccountsApp.start(t, { options: { signUp: {}, reset: {}, limits } })
  await app.signedIn()
  const answers = { known: new Set<string>(), unknown: new Set<string>() }
  const times: Record<keyof typeof answers, number[]> = { known: [], unknown: [] }
  for (let round = 0; round < TRIES; round += 1) {
    const turn = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of turn) {
      const address = kind === 'known' ? ADA : `nobody${round % 10}@example.org`
      const begun = performance.now()
      const answer = await app.post('/reset', { address })
      times[kind].push(performance.now() - begun)
      answers[kind].add(shown(answer).replaceAll(/"ratelimit[^\]]*\]/g, ''))
    }
    if (round % BLOCK === BLOCK - 1) await app.letters()
  }
  t.equal(times.known.length + times.unknown.length, 2 * TRIES)
  t.strictSame([...answers.known], [...answers.unknown])
  t.equal(answers.known.size, 1)
  const [known, unknown] = [median(times.known), median(times.unknown)]
  const spread = median(times.known.map((time) => Math.abs(time - known)))
  const said = [known, unknown, Math.abs(known - unknown), spread].map((ms) => ms.toFixed(3))
  const z = rankSum(times.known, times.unknown).toFixed(2)
  t.comment(`rank-sum test (Mann-Whitney): z ${z}; beyond 2.58 either way, times would tell`)
  t.comment(`median ms: known ${said[0]}, unknown ${said[1]}, apart ${said[2]}; median deviation ${said[3]}`)
})

t.test('the same for a sign-up, also for a locked account and while the mail server is away', async (t) => {
  const away: MailTransport = {
    send: async (): Promise<Delivery> => {
      throw new Error('connect ECONNREFUSED 127.0.0.1:25')
    }
  }
  const limits = { perAddress: '1000/s', perNetwork: '100000/s' }
  const options = { signUp: {}, reset: {}, limits }
  const app = await AccountsApp.start(t, { options, transport: away })
  const { userAccounts, jobs } = app.fastify
  for (const identifier of [ADA, 'locked@example.org'])
    await userAccounts.create({ identifier, password: PASSWORD, roles: [] })
  await userAccounts.setLocked('locked@example.org', true)
  const seen = new Set<string>()
  for (const address of [ADA, 'locked@example.org', 'new@example.org', 'new@example.org']) {
    for (const [path, body] of [
      ['/sign-up', { address, password: OTHER_PASSWORD }],
      ['/sign-up/resend', { address }],
      ['/reset', { address }]
    ] as const) {
      seen.add(shown(await app.post(path, body)).replaceAll(/"ratelimit[^\]]*\]/g, ''))
    }
    await jobs.drain()
  }
  t.equal(seen.size, 1, [...seen].join('\n'))
  const mails = (await jobs.list({ name: 'svc.mail' })).items
  t.ok(mails.length > 0)
  t.ok(
    mails.every(({ state, attempts }) => state === 'waiting' && attempts >= 1),
    'each mail is tried again'
  )
})

t.test('a flood is bounded for an address, silently, and for a network', async (t) => {
  const options = { signUp: {}, reset: {}, limits: { perAddress: '3/hour', perNetwork: '20/min' } }
  const app = await AccountsApp.start(t, { options })
  await app.fastify.userAccounts.create({ identifier: ADA, password: PASSWORD, roles: [] })
  const statuses: number[] = []
  for (let call = 0; call < 25; call += 1) statuses.push((await app.post('/reset', { address: ADA })).statusCode)
  t.strictSame(statuses, [...Array.from({ length: 20 }, () => 202), ...Array.from({ length: 5 }, () => 429)])
  t.equal((await app.letters()).length, 3)
  // An attacker who has spent the budget of an address keeps its owner from a reset for no longer than the limit says.
  app.clock.advance(3_600_000)
  await app.post('/reset', { address: ADA })
  t.equal((await app.letters()).length, 1)
})

t.test('no token and no password is in a line of the log, in the journal or in a stored token', async (t) => {
  const lines: string[] = []
  const app = await AccountsApp.start(t, { lines })
  const browser = await app.signedIn()
  await app.post('/reset', { address: ADA })
  const [letter] = await app.letters()
  const [, token = ''] = /#([\w-]{43})/.exec(letter?.text ?? '') ?? []
  await app.post('/reset/complete', { token, password: 'short' })
  await browser.post('/address', { address: 'ada@example.com' })
  await app.letters()
  const text = `${lines.join('')}${JSON.stringify(app.fastify.audit.recent(1000))}`
  t.ok(token.length === 43 && lines.length > 0)
  for (const secret of [token, PASSWORD]) t.notOk(text.includes(secret))
})
