/** Area `basic`: a name and a password on each request (RFC 7617). */
import type { Test } from 'tap'
import { accountApp, PASSWORD } from '../../support/account-app.ts'
import { securityCase } from './security-case.ts'

const uniform = /"message":"INVALID_CREDENTIALS"/

async function ask(t: Test, credential: string | Buffer, add: Array<[string, string | null]> = []) {
  const app = await accountApp(t)
  for (const [identifier, password] of add) await app.book.add(identifier, password)
  app.book.lookups = 0
  const answer = await app.browser().basic(credential)
  return { ...app, answer }
}

securityCase('BAS-01', async (t) => {
  const { answer } = await ask(t, `alice:${PASSWORD}`)
  t.match(JSON.parse(answer.body), { who: 'alice', type: 'userpassword' })
})

securityCase('BAS-02', async (t) => {
  const { browser } = await accountApp(t)
  const encoded = Buffer.from(`alice:${PASSWORD}`).toString('base64')
  for (const scheme of ['BASIC', 'basic', 'bAsIc']) {
    t.equal((await browser().call('GET', '/basic/who', { authorization: `${scheme} ${encoded}` })).status, 200, scheme)
  }
})

securityCase('BAS-03', async (t) => {
  const { answer } = await ask(t, 'żółw:pässwörd€', [['żółw', 'pässwörd€']])
  t.match(JSON.parse(answer.body), { who: 'żółw' })
})

securityCase('BAS-04', async (t) => {
  const { answer, book } = await ask(t, Buffer.from('zoë:pässwörd', 'latin1'), [['zoë', 'pässwörd']])
  t.equal(answer.status, 401)
  t.match(answer.body, uniform)
  t.equal(book.lookups, 0)
})

securityCase('BAS-05', async (t) => {
  const name = 'zo\u00eb'
  const { answer } = await ask(t, `${name.normalize('NFD')}:${'p\u00e4ss'.normalize('NFD')}`, [[name, 'p\u00e4ss']])
  t.match(JSON.parse(answer.body), { who: name })
})

securityCase(
  'BAS-06',
  async (t) => {
    const { browser, book } = await accountApp(t)
    await book.add('bob', 'x')
    const encoded = Buffer.from('bob:x').toString('base64').replace(/=+$/, '')
    t.equal((await browser().call('GET', '/basic/who', { authorization: `Basic ${encoded}` })).status, 200)
  },
  'accepted'
)

securityCase('BAS-08', async (t) => {
  const { browser, book } = await accountApp(t)
  const encoded = Buffer.from(`alice:${PASSWORD}`).toString('base64')
  const spoilt = [
    `${encoded} x`,
    `${encoded}!`,
    `${encoded.slice(0, 4)} ${encoded.slice(4)}`,
    `=${encoded}`,
    `${encoded},`
  ]
  for (const text of spoilt) {
    const answer = await browser().call('GET', '/basic/who', { authorization: `Basic ${text}` })
    t.equal(answer.status, 401, text)
    t.match(answer.body, uniform)
  }
  t.equal(book.lookups, 0)
})

securityCase('BAS-09', async (t) => {
  const { browser, book } = await accountApp(t)
  const answer = await browser().call('GET', '/basic/who', { authorization: 'Basic' })
  t.equal(answer.status, 401)
  t.match(answer.headers['www-authenticate'], /^Basic /)
  t.equal(book.lookups, 0)
})

securityCase('BAS-12', async (t) => {
  const { answer } = await ask(t, 'alice:')
  t.equal(answer.status, 401)
  t.equal((await ask(t, 'nopass:', [['nopass', null]])).answer.status, 401)
})

securityCase('BAS-13', async (t) => {
  const { answer, records } = await ask(t, 'social:anything', [['social', null]])
  t.equal(answer.status, 401)
  t.match(answer.body, uniform)
  t.match(records, [{ action: 'auth.failure', reason: 'no_password' }])
})

securityCase('BAS-16', async (t) => {
  const long = 'x'.repeat(80)
  const { browser, book } = await accountApp(t)
  await book.add('long', `${long}a`)
  t.equal((await browser().basic(`long:${long}b`)).status, 401)
  t.equal((await browser().basic(`long:${long}a`)).status, 200)
})

securityCase('BAS-17', async (t) => {
  const { browser } = await accountApp(t)
  const answer = await browser().call('GET', '/basic/who')
  t.equal(answer.status, 401)
  t.equal(answer.headers['www-authenticate'], 'Basic realm="svc", charset="UTF-8"')
})

securityCase('BAS-24', async (t) => {
  const { browser, book } = await accountApp(t)
  book.failure = new Error('the directory is down')
  for (let time = 0; time < 6; time += 1) t.equal((await browser().basic(`alice:${PASSWORD}`)).status, 503)
  book.failure = null
  t.equal((await browser().basic(`alice:${PASSWORD}`)).status, 200)
})
