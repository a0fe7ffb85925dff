/** Whatever happens to an organisation is in the journal, with who did it. */
import { ACTIONS } from 'svc-audit'
import t from 'tap'
import { Dns } from './support/dns.ts'
import { API, type Caller, OrganizationsApp } from './support/organizations-app.ts'

const ADMIN = '/svc/organizations/api/organizations'
const DAY_MS = 86_400_000
const OWN = /^organization\./

t.test('each action of the catalogue is recorded', async (t) => {
  const dns = new Dns()
  const app = await OrganizationsApp.start(t, { parts: { resolveTxt: dns.resolve } })
  const { fastify } = app
  const recorded: (readonly [action: string, actor: string | null, resource: string | null])[] = []
  fastify.audit.subscribe(({ action, actor, resource }) => {
    if (OWN.test(action)) recorded.push([action, actor, resource])
  })
  const [ada, root] = [await app.user('ada'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const bob = await app.user('bob@example.org')
  const acme = await app.organization(ada, 'acme')
  const own = `${API}/acme`
  const ok = async (call: ReturnType<Caller['get']>) => {
    const answer = await call
    t.ok(answer.statusCode < 300, answer.body)
    return answer.body === '' ? null : answer.json()
  }
  await ok(ada.patch(own, { name: 'Acme Inc' }))
  await ok(ada.post(`${own}/invitations`, { address: 'bob@example.org', role: 'admin' }))
  const token = (await app.tokens()).get('bob@example.org')
  const { member } = await ok(bob.post(`${API}/invitations/accept`, { token }))
  await ok(ada.patch(`${own}/members/${member}`, { role: 'reader' }))
  await ok(ada.post(`${own}/invitations`, { address: 'eve@example.org', role: 'reader' }))
  const [invitation] = (await ok(ada.get(`${own}/invitations`))).invitations
  await ok(ada.delete(`${own}/invitations/${invitation.id}`))

  const { id: key } = await ok(ada.post(`${own}/keys`, { name: 'k', permissions: ['provisioning'] }))
  const rotated = await ok(ada.post(`${own}/keys/${key}/rotate`, { overlapS: 60 }))
  const domain = await ok(ada.post(`${own}/domains`, { domain: 'example.org' }))
  const { name, value } = domain.record
  dns.records.set(name, [[value]])
  await ok(ada.post(`${own}/domains/${domain.id}/verify`))
  await ok(ada.patch(`${own}/domains/${domain.id}`, { provider: 'entra' }))
  const scim = app.key(rotated.token)
  const { id: user } = await ok(scim.post('/scim/v2/Users', { userName: 'mia@example.org' }))
  for (const active of [false, true]) {
    await ok(scim.patch(`/scim/v2/Users/${user}`, { Operations: [{ op: 'replace', path: 'active', value: active }] }))
  }
  await ok(ada.delete(`${own}/keys/${rotated.id}`))
  dns.records.clear()
  t.equal((await ada.post(`${own}/domains/${domain.id}/verify`)).statusCode, 409)
  await ok(ada.delete(`${own}/domains/${domain.id}`))

  await ok(root.post(`${ADMIN}/${acme}/suspend`, { reason: 'unpaid' }))
  await ok(root.post(`${ADMIN}/${acme}/resume`))
  await ok(ada.post(`${own}/transfer`, { to: member }))
  await ok(ada.call('DELETE', `${own}/transfer`))
  await ok(ada.post(`${own}/transfer`, { to: member }))
  await ok(bob.post(`${own}/transfer/accept`))
  const { members } = await ok(bob.get(`${own}/members`))
  const before = members.find(({ identifier }: { readonly identifier: string }) => identifier === 'ada')
  await ok(bob.delete(`${own}/members/${before.id}`))
  await ok(bob.post(`${own}/deletion`))
  await ok(bob.post(`${own}/deletion/cancel`))
  await ok(bob.post(`${own}/deletion`))
  await fastify.jobs.drain()
  await ok(bob.get(`${own}/deletion/export`))
  app.clock.advance(31 * DAY_MS)
  await fastify.jobs.schedules.runNow('svc.organizations.sweep')
  await fastify.jobs.drain()

  const met = new Set(recorded.map(([action]) => action))
  t.strictSame([...met].sort(), ACTIONS.filter((action) => OWN.test(action)).sort())
  for (const [action, , resource] of recorded) t.equal(resource, acme, action)
  const actorOf = (action: string) => recorded.find(([each]) => each === action)?.[1]
  t.strictSame(
    ['created', 'member_added', 'suspended', 'transferred', 'deletion_requested', 'deleted'].map((each) => [
      each,
      actorOf(`organization.${each}`)
    ]),
    [
      ['created', 'ada'],
      ['member_added', 'bob@example.org'],
      ['suspended', 'root'],
      ['transferred', 'bob@example.org'],
      ['deletion_requested', 'bob@example.org'],
      ['deleted', null]
    ]
  )
})
