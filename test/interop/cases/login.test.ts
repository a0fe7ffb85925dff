/** Area `login`: the login of a browser. */
import { API, accountApp, PASSWORD, statuses } from '../../support/account-app.ts'
import { securityCase } from './security-case.ts'

securityCase('LOG-01', async (t) => {
  const { book, browser } = await accountApp(t)
  await book.add('locked', PASSWORD, { locked: true })
  const answers = [
    await browser().login('alice', 'wrong'),
    await browser().login('nobody'),
    await browser().login('locked')
  ]
  const [first] = answers
  for (const { status, headers, body } of answers) {
    t.equal(status, 401)
    t.equal(body, first?.body)
    t.strictSame({ ...headers, date: '' }, { ...first?.headers, date: '' })
  }
  t.match(first?.body, /INVALID_CREDENTIALS/)
})

securityCase('LOG-02', async (t) => {
  const { book, browser } = await accountApp(t)
  const payloads = [
    { username: 'alice', password: PASSWORD, admin: true },
    { username: ['alice'], password: PASSWORD },
    { username: 7, password: PASSWORD },
    { username: 'alice', password: { $ne: null } },
    { username: { $gt: '' }, password: 'x' },
    [],
    'alice',
    null
  ]
  for (const payload of payloads) {
    const answer = await browser().post(`${API}/auth/login`, payload)
    t.equal(answer.status, 400, JSON.stringify(payload))
  }
  t.match(JSON.parse((await browser().post(`${API}/auth/login`, { email: 'a', password: 'b' })).body), {
    details: [{ path: '/username' }]
  })
  t.equal(book.lookups, 0)
})

securityCase('LOG-03', async (t) => {
  const { browser } = await accountApp(t)
  const body = JSON.stringify({ username: 'alice', password: PASSWORD })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '*/*']) {
    const answer = await browser().call('POST', `${API}/auth/login`, { 'content-type': type }, body)
    t.equal(answer.status, 415, type)
  }
})

securityCase('LOG-04', async (t) => {
  const { book, browser, records } = await accountApp(t)
  for (const headers of [{ origin: 'https://evil' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }]) {
    t.equal((await browser().login('alice', PASSWORD, headers)).status, 403, JSON.stringify(headers))
  }
  t.equal(book.lookups, 0)
  t.match(records, [{ category: 'csrf', action: 'csrf.rejected', outcome: 'denied' }])
})

securityCase('LOG-07', async (t) => {
  const { browser, records } = await accountApp(t)
  await browser().login('nobody')
  await browser().login('alice', 'wrong')
  t.match(records, [
    { category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'nobody', reason: 'unknown_user' },
    { category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice', reason: 'wrong_password' }
  ])
})

securityCase(
  'LOG-09',
  async (t) => {
    const passwords = { memoryKib: 7168, passes: 1, maxConcurrent: 2, maxQueue: 20 }
    const { fastify } = await accountApp(t, { security: { passwords, rateLimit: { enabled: false } } })
    const payload = { username: 'alice', password: PASSWORD }
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => fastify.inject({ method: 'POST', url: `${API}/auth/login`, payload }))
    )
    const counts = statuses(answers.map(({ statusCode: status }) => ({ status })))
    t.equal((counts[200] ?? 0) + (counts[503] ?? 0), 1000)
    t.ok((counts[503] ?? 0) > 900)
    t.equal(answers.find(({ statusCode }) => statusCode === 503)?.headers['retry-after'], '1')
  },
  'as many as may wait are served, the others answered 503 with Retry-After; times are in the benchmarks'
)
