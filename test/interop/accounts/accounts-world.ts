/** Applications with every flow of accounts, and people who call them by the API alone. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcAccounts from 'svc-accounts'
import svcMail, { type MailTransport } from 'svc-mail'
import svcSecurity from 'svc-security'
import { ensureStores } from 'svc-stores'
import type { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import type { Register } from '../../support/engines.ts'

export const [ADA, NEW, BOB] = ['ada@example.org', 'ada@example.com', 'bob@example.org']
export const [PASSWORD, OTHER] = ['correct horse battery', 'staple of another horse']

/** @param transport instead of the outbox */
export async function opened(
  t: Test,
  register: Register,
  clock: ManualClock,
  transport?: MailTransport
): Promise<FastifyInstance> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  fastify.decorate('appHost', { name: 'shop', root: '.', mode: 'test', checkOnly: false, manualJobs: true } as never)
  await ensureStores(fastify, { clock })
  await register(fastify)
  const passwords = { memoryKib: 7168, passes: 1, parallelism: 1 }
  await fastify.register(svcSecurity, { passwords, parts: { clock } })
  const mail = transport === undefined ? { outbox: true, parts: { clock } } : { parts: { clock, transport } }
  await fastify.register(svcMail, { from: 'Shop <shop@example.org>', ...mail })
  const flows = { signUp: {}, reset: {}, changeAddress: {}, invitations: {}, deletion: {}, export: {} }
  await fastify.register(svcAccounts, { link: 'https://shop.example.org/account', ...flows, parts: { clock } })
  await fastify.ready()
  return fastify
}

/** A browser, and the mailbox of whom it belongs to. */
export class Person {
  readonly #fastify: FastifyInstance
  #headers: Record<string, string> = {}

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  async post(path: string, payload: object = {}) {
    const url = path.startsWith('/svc') ? path : `/api/accounts${path}`
    return this.#fastify.inject({ method: 'POST', url, payload, headers: this.#headers })
  }

  async login(username: string, password: string): Promise<number> {
    this.#headers = {}
    const answer = await this.post('/svc/security/api/auth/login', { username, password })
    const [cookie] = answer.cookies
    if (cookie === undefined) return answer.statusCode
    this.#headers = { cookie: `${cookie.name}=${cookie.value}` }
    const me = await this.#fastify.inject({ url: '/svc/security/api/auth/me', headers: this.#headers })
    this.#headers['x-csrf-token'] = me.json<{ csrfToken: string }>().csrfToken
    return answer.statusCode
  }

  /** Of the oldest mail to an address with this in its subject, since the last call. */
  async token(to: string, subject: string): Promise<string> {
    await this.#fastify.jobs.drain()
    const { text } = await this.#fastify.mail.outbox.next({ to, subject })
    return /#([A-Za-z0-9_-]{43})/.exec(text)?.[1] ?? ''
  }
}

/** With the body, which says why a call failed. */
export const answered = ({ statusCode, body }: { readonly statusCode: number; readonly body: string }) => ({
  statusCode,
  body
})
export const DONE = { statusCode: 200, body: '{"ok":true}' }
export const named = (identifier: string) => ({ statusCode: 200, body: JSON.stringify({ identifier }) })
export const ACCEPTED = { statusCode: 202, body: '{"ok":true}' }
