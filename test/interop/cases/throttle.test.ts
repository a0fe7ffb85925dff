/** Area `throttle`: guessing slows down, for every way in. */
import type { AttemptCounter } from 'svc-security/stores'
import type { Test } from 'tap'
import { accountApp, type Browser, PASSWORD, statuses } from '../../support/account-app.ts'
import { securityCase } from './security-case.ts'

async function failures(browser: () => Browser, count: number, username = 'alice', headers = {}) {
  const answers = []
  for (let time = 0; time < count; time += 1) answers.push(await browser().login(username, 'wrong', headers))
  return answers
}

const spray = async (browser: () => Browser, count: number, headersOf: (host: number) => Record<string, string>) => {
  const answers = []
  for (let name = 0; name < count; name += 1) answers.push(await browser().login(`user${name}`, 'x', headersOf(name)))
  return statuses(answers)
}

securityCase('THR-02', async (t) => {
  const { browser, clock } = await accountApp(t)
  await failures(browser, 4)
  clock.advance(1000)
  await failures(browser, 1)
  const waits = []
  for (const step of [0, 1, 999, 500, 500]) {
    clock.advance(step)
    const { status, headers } = await browser().login()
    waits.push(status === 429 ? headers['retry-after'] : status)
  }
  t.strictSame(waits, ['2', '2', '1', '1', 200])
})

securityCase('THR-03', async (t) => {
  const { browser, clock } = await accountApp(t)
  await failures(browser, 4)
  clock.advance(1000)
  t.equal((await browser().login()).status, 200)
  t.strictSame(statuses(await failures(browser, 3)), { 401: 3 })
  t.equal((await browser().login()).status, 200)
})

securityCase('THR-04', async (t) => {
  const { browser } = await accountApp(t)
  for (const spelling of ['alice', 'ALICE', ' alice', 'Alice ']) await failures(browser, 1, spelling)
  t.equal((await browser().login('aLICE')).status, 429)
})

securityCase('THR-05', async (t) => {
  const { browser } = await accountApp(t)
  for (let time = 0; time < 2; time += 1) {
    t.equal((await browser().basic('alice:wrong')).status, 401)
    t.equal((await browser().login('alice', 'wrong')).status, 401)
  }
  t.equal((await browser().basic(`alice:${PASSWORD}`)).status, 429)
  t.equal((await browser().login()).status, 429)
})

securityCase('THR-07', async (t) => {
  const { browser } = await accountApp(t)
  const counts = await spray(browser, 60, () => ({}))
  t.strictSame(counts, { 401: 31, 429: 29 })
})

securityCase('THR-09', async (t) => {
  const { browser } = await accountApp(t)
  const counts = await spray(browser, 60, (host) => ({ 'x-forwarded-for': `203.0.113.${host}` }))
  t.equal(counts[429], 29)
})

securityCase('THR-11', async (t) => {
  const { browser } = await accountApp(t, { server: { trustProxy: true } })
  const inside = await spray(browser, 60, (host) => ({ 'x-forwarded-for': `2001:db8:0:7:${host + 1}::1` }))
  t.equal(inside[429], 29)
  const elsewhere = await browser().login('somebody', 'x', { 'x-forwarded-for': '2001:db8:0:8::1' })
  t.equal(elsewhere.status, 401)
})

securityCase('THR-12', async (t) => {
  const down = () => Promise.reject(new Error('connection refused'))
  const attempts: AttemptCounter = { get: down, penalty: down, set: down, delete: down }
  const { browser, lines } = await accountApp(t, { parts: { attempts } })
  await failures(browser, 4)
  t.equal((await browser().login()).status, 429)
  t.equal(lines.filter(({ code }) => code === 'SVC_SEC_THROTTLE_STORE').length, 1)
})

securityCase(
  'THR-14',
  async (t) => {
    t.ok(await logged(t, {}, 'SVC_SEC_THROTTLE_LOCAL', 30))
  },
  'documented: limit is per instance; an information at boot in production, as one instance has no fault'
)

securityCase('THR-15', async (t) => {
  const off = { rateLimit: { enabled: false } }
  t.ok(await logged(t, off, 'SVC_SEC_NO_THROTTLE', 40))
  const { browser } = await accountApp(t, { security: off })
  t.strictSame(statuses(await failures(browser, 10)), { 401: 10 })
})

securityCase('THR-16', async (t) => {
  const { browser, clock } = await accountApp(t)
  await failures(browser, 4)
  clock.advance(-86_400_000)
  const { status, headers } = await browser().login()
  t.strictSame([status, headers['retry-after']], [429, '1'])
  clock.advance(1000)
  t.equal((await browser().login()).status, 200)
})

async function logged(t: Test, security: object, wanted: string, wantedLevel: number): Promise<boolean> {
  const { lines } = await accountApp(t, { security })
  return lines.some(({ code, level }) => code === wanted && level === wantedLevel)
}
