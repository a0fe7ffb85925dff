/**
 * A failed login says nothing of its cause: whoever reads the answer, status line,
 * headers and body, reads the same bytes, by each way in. Their times are measured
 * by `npm run bench -- logins`.
 */
import t from 'tap'
import { API, accountApp, type Browser, KEY_SET, PASSWORD } from '../support/account-app.ts'
import type { RawAnswer } from '../support/raw-http.ts'

const causes: ReadonlyArray<readonly [cause: string, name: string, password: string]> = [
  ['wrong_password', 'alice', 'guess'],
  ['wrong_password', 'alice', 'x'.repeat(200)],
  ['unknown_user', 'nobody', 'guess'],
  ['unknown_user', 'nobody', PASSWORD],
  ['no_password', 'passwordless', 'guess'],
  ['no_password', 'damaged', PASSWORD],
  ['locked', 'locked', PASSWORD],
  ['wrong_password', 'locked', 'guess'],
  ['disabled', 'disabled', PASSWORD],
  ['wrong_password', 'disabled', 'guess']
]

type Way = (browser: Browser, name: string, password: string) => Promise<RawAnswer>

const ways: Readonly<Record<string, Way>> = {
  Basic: (browser, name, password) => browser.basic(`${name}:${password}`),
  'JSON login': (browser, name, password) => browser.login(name, password),
  'token endpoint': (browser, username, password) => browser.post(`${API}/token`, { username, password })
}

for (const [way, login] of Object.entries(ways)) {
  t.test(`${way}: one answer for every cause`, async (t) => {
    const { book, browser, records } = await accountApp(t, {
      security: { jwt: KEY_SET, rateLimit: { enabled: false } }
    })
    await book.add('passwordless', null)
    book.accounts.set('damaged', { identifier: 'damaged', roles: [], password: '$argon2id$v=19$m=1' })
    await book.add('locked', PASSWORD, { locked: true })
    await book.add('disabled', PASSWORD, { enabled: false })
    const answers = new Set<string>()
    for (const [cause, name, password] of causes) {
      const { status, text } = await login(browser(), name, password)
      t.equal(status, 401, cause)
      t.equal(records.at(-1)?.reason, cause, 'the audit has the true cause')
      answers.add(text.replace(/^date: .*\r\n/im, ''))
    }
    t.equal(answers.size, 1)
    t.match([...answers][0], 'INVALID_CREDENTIALS')
  })
}
