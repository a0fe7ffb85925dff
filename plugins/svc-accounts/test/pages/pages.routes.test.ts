/** The pages over HTTP: their headers and languages, and that each form names a route that is there. In Chromium: test/browser. */
import t from 'tap'
import { PAGE_SCRIPT, PAGE_STYLE } from '../../src/pages/page-files.ts'
import { pageTexts } from '../../src/pages/page-texts.ts'
import { AccountsApp } from '../support/accounts-app.ts'

const FLOWS = { signUp: {}, reset: {}, changeAddress: {}, invitations: {}, deletion: {}, export: {} }
const PAGES = ['', '/sign-in', '/sign-up', '/reset', '/address', '/undo', '/invitation', '/deletion', '/export']

t.test('every form posts to a route, and no page holds a script, a style or a handler', async (t) => {
  const app = await AccountsApp.start(t, {
    options: { pages: {}, ...FLOWS },
    security: { totp: { encryptionKey: Buffer.alloc(32, 7).toString('base64') } }
  })
  for (const path of PAGES) {
    const page = await app.fastify.inject(`/account${path}`)
    t.equal(page.statusCode, 200, path)
    t.match(page.headers['content-security-policy'], /^default-src 'none'; script-src 'self'; style-src 'self'/)
    t.match(page.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' })
    t.strictSame(
      page.payload.match(/<script(?![^>]* src=)[^>]*>|<style|<[^>]*\son\w+=|<[^>]*\sstyle=|\bundefined\b|\[object/g),
      null,
      path
    )
    for (const [, url = ''] of page.payload.matchAll(/data-api="([^"]*)"/g)) {
      t.ok(app.fastify.hasRoute({ method: 'POST', url }), `${path} posts to ${url}`)
    }
    for (const [, url = ''] of page.payload.matchAll(/href="(\/[^"]*)"/g)) {
      t.equal((await app.fastify.inject(url)).statusCode, 200, `${path} leads to ${url}`)
    }
  }
})

t.test('passwords are masked, and every field says to a password manager what it is', async (t) => {
  const app = await AccountsApp.start(t, { options: { pages: {}, ...FLOWS } })
  const wanted = { current: 'current-password', code: 'one-time-code' } as Readonly<Record<string, string>>
  let passwords = 0
  for (const path of PAGES) {
    const { payload } = await app.fastify.inject(`/account${path}`)
    for (const [input] of payload.matchAll(/<input[^>]*>/g)) {
      const [name = '', type, autocomplete = ''] = ['name', 'type', 'autocomplete'].map(
        (each) => new RegExp(` ${each}="([^"]*)"`).exec(input)?.[1]
      )
      t.not(autocomplete, '', `${path}: ${name}`)
      t.notMatch(input, /readonly|maxlength="\d\d"|onpaste/, 'what is pasted is taken')
      if (!/password|current/.test(name)) continue
      passwords += 1
      t.equal(type, 'password', `${path}: ${name}`)
      t.match(autocomplete, wanted[name] ?? /^(?:new|current)-password$/)
    }
  }
  t.ok(passwords >= 6, 'there are such fields')
})

t.test('a list is on the page where the application serves it', async (t) => {
  const totp = { encryptionKey: Buffer.alloc(32, 7).toString('base64') }
  const lists = async (security: object) => {
    const app = await AccountsApp.start(t, { options: { pages: {}, ...FLOWS }, security })
    const { payload } = await app.fastify.inject('/account')
    return [...payload.matchAll(/data-items="([^"]*)"/g)].map(([, items]) => items)
  }
  t.strictSame(await lists({ totp }), ['sessions', 'grants'])
  const passkeys = { rpId: 'shop.example.org', origins: ['https://shop.example.org'] }
  t.strictSame(await lists({ passkeys }), ['credentials', 'sessions', 'grants'])
})

t.test('files are named by their content, and cached for ever', async (t) => {
  const app = await AccountsApp.start(t, { options: { pages: { path: '/me' }, ...FLOWS } })
  for (const { name, type, text } of [PAGE_SCRIPT, PAGE_STYLE]) {
    const file = await app.fastify.inject(`/me/files/${name}`)
    t.match(file.headers, { 'content-type': type, 'cache-control': /immutable/, 'x-content-type-options': 'nosniff' })
    t.equal(file.payload, text)
  }
  t.equal((await app.fastify.inject('/account')).statusCode, 404)
})

t.test('a page of a flow that is off is not there, and no page leads to it', async (t) => {
  const app = await AccountsApp.start(t, { options: { pages: {}, reset: {} } })
  for (const path of ['/sign-up', '/address', '/undo', '/invitation', '/deletion', '/export']) {
    t.equal((await app.fastify.inject(`/account${path}`)).statusCode, 404, path)
  }
  const signIn = (await app.fastify.inject('/account/sign-in')).payload
  t.match(signIn, 'href="/account/reset"')
  t.notMatch(signIn, 'href="/account/sign-up"')
  t.notMatch((await app.fastify.inject('/account')).payload, /api\/accounts/)
})

t.test('the language is that of the browser, of the application, or English', async (t) => {
  const rows = [
    ['de-AT,en;q=0.5', 'en', 'de'],
    ['EN-us', 'de', 'en'],
    ['fr, de;q=0.9', 'en', 'de'],
    ['fr', 'de', 'de'],
    [undefined, 'fr', 'en'],
    ['__proto__, constructor', 'en', 'en']
  ] as const
  for (const [accepted, fallback, locale] of rows)
    t.equal(pageTexts(accepted, fallback).locale, locale, accepted ?? 'none')
  const [en, de] = ['en', 'de'].map((locale) => pageTexts(locale, 'en').texts)
  const keys = (texts: object | undefined) =>
    JSON.stringify(texts, (_key, value) => (typeof value === 'string' ? '' : value))
  t.equal(keys(en), keys(de), 'both languages have the same texts')
})
