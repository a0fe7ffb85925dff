/** An organisation that a provisioning system fills. */
import type { PasswordCheck } from 'svc-security'
import type { Test } from 'tap'
import { API, type Caller, OrganizationsApp } from './organizations-app.ts'

export const SCIM = '/scim/v2'

export interface Provisioned {
  readonly app: OrganizationsApp
  readonly ada: Caller
  readonly acme: string
  readonly key: Caller
}

/** An organisation with a proven domain, and the key of its provisioning system. */
export async function provisioned(t: Test, passwordCheck?: PasswordCheck): Promise<Provisioned> {
  const records = new Map<string, string[][]>()
  const resolveTxt = async (name: string) => records.get(name) ?? []
  const app = await OrganizationsApp.start(t, {
    parts: { resolveTxt },
    ...(passwordCheck && { passwordCheck }),
    routes: (fastify) => {
      fastify.jobs.define('notes.count', {}, async () => undefined)
      fastify.post('/api/at/:organization/count', async () => (await fastify.jobs.add('notes.count')).id)
    }
  })
  const ada = await app.user('ada@example.com')
  const acme = await app.organization(ada, 'acme')
  const { id, record } = (await ada.post(`${API}/acme/domains`, { domain: 'example.org' })).json()
  records.set(record.name, [[record.value]])
  await ada.post(`${API}/acme/domains/${id}/verify`)
  const made = await ada.post(`${API}/acme/keys`, { name: 'entra', permissions: ['provisioning'] })
  // The owner comes first in lists.
  app.clock.advance(1)
  return { app, ada, acme, key: app.key(made.json().token) }
}

export const user = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  ...more
})
