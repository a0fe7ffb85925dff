/** Routes of the pages: for everybody, as a link has to work before anybody is signed in. What they do is up to the API. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { routeSecurity } from 'svc-kernel/plugin'
import type { AccountsConfig } from '../options.ts'
import { listsOf } from './account-lists.ts'
import { pageDocument } from './page-document.ts'
import { PAGE_SCRIPT, PAGE_STYLE } from './page-files.ts'
import { type PageName, pageTexts } from './page-texts.ts'

/** Everything comes from this origin, nothing is written into a page as markup, and no page may frame it. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join('; ')

const HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
}

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Of a page that stands for the flow of a section; the others are always there. */
const SECTIONS = {
  'sign-up': 'signUp',
  reset: 'reset',
  address: 'changeAddress',
  undo: 'changeAddress',
  invitation: 'invitations',
  deletion: 'deletion',
  export: 'export'
} as const

/** @param base path of the pages, without a slash at its end */
export function pageRoutes(fastify: FastifyInstance, base: string, config: AccountsConfig): void {
  const names = Object.entries(SECTIONS).filter(([, section]) => config[section] !== undefined)
  const pages = ['account', 'sign-in', ...names.map(([name]) => name)] as PageName[]
  const options = (name: string) => ({
    config: { svc: routeSecurity(`svc.accounts.page.${name}`, { bypassFirewall: true }) },
    // Pages are no part of a description of the API.
    schema: { hide: true } as object
  })

  for (const name of pages) {
    fastify.get(name === 'account' ? base : `${base}/${name}`, options(name), (request, reply) => {
      const { locale, texts } = pageTexts(request.headers['accept-language'], config.locale)
      const files = { script: PAGE_SCRIPT.name, style: PAGE_STYLE.name }
      const lists = listsOf((url) => fastify.hasRoute({ method: 'GET', url }))
      const document = pageDocument({ name, base, locale, texts, files, lists, flows: config })
      return sent(reply).headers({ 'cache-control': 'no-store', vary: 'accept-language' }).type(HTML).send(document)
    })
  }
  for (const { name, type, text } of [PAGE_SCRIPT, PAGE_STYLE]) {
    fastify.get(`${base}/files/${name}`, options('file'), (_request: FastifyRequest, reply) => {
      return sent(reply).header('cache-control', FOR_EVER).type(type).send(text)
    })
  }
}

const HTML = 'text/html; charset=utf-8'

function sent(reply: FastifyReply): FastifyReply {
  return reply.headers(HEADERS)
}
