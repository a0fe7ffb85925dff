/** The portal on every database: a link opens once, a session sees one organisation, and ends with it. */
import t from 'tap'
import { onEveryDatabase } from '../../support/entity-databases.ts'
import { bearer } from '../../support/plain-credential.ts'
import { API, eventsApp, Ticket } from './events-app.ts'

t.setTimeout(240_000)

const PORTAL = '/events-portal/api'

t.test('the portal', (t) =>
  onEveryDatabase(t, [Ticket], async (t, database) => {
    const { app, states } = await eventsApp(t, database, () => undefined, { portal: {} as never, maxEndpoints: 2 })
    const secretOf = async (organization: string) => (await app.events.portal(organization)).url.split('#')[1]
    const enter = (secret: unknown) =>
      app.inject({ method: 'POST', url: `${PORTAL}/session`, payload: { secret } as object })
    const opened = async (organization: string): Promise<string> => {
      return (await enter(await secretOf(organization))).json<{ token: string }>().token
    }
    const ask = (token: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
      app.inject({ method, url: PORTAL + path, headers: bearer(token), ...(payload === undefined ? {} : { payload }) })

    await t.test('of callers at once, one opens a link', async (t) => {
      const secret = await secretOf('acme')
      const answers = await Promise.all(Array.from({ length: 12 }, () => enter(secret)))
      t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, ...Array(11).fill(400)])
    })

    const [acme, globex] = [await opened('acme'), await opened('globex')]
    const made = new Map<string, string>()
    for (const [name, token] of [
      ['acme', acme],
      ['globex', globex]
    ] as const) {
      const payload = { url: `http://127.0.0.1:9/${name}`, events: ['*'], enabled: false }
      const answer = await ask(token, 'POST', '/webhooks', payload)
      t.equal(answer.statusCode, 201, answer.body)
      made.set(name, answer.json<{ endpoint: { id: string } }>().endpoint.id)
    }
    const [own, foreign] = [made.get('acme'), made.get('globex')]

    await t.test('a session sees and changes its organisation alone', async (t) => {
      const listed = (await ask(acme, 'GET', '/webhooks')).json<{ endpoints: { id: string }[]; total: number }>()
      t.strictSame([listed.endpoints.map(({ id }) => id), listed.total], [[own], 1])
      for (const headers of [{ 'x-organization': 'globex' }, { host: 'globex.example' }]) {
        const answer = await app.inject({ url: `${PORTAL}/webhooks`, headers: { ...bearer(acme), ...headers } })
        t.strictSame(
          answer.json<typeof listed>().endpoints.map(({ id }) => id),
          [own]
        )
      }
      for (const [method, path, payload] of [
        ['GET', '', undefined],
        ['PATCH', '', { description: 'taken' }],
        ['DELETE', '', undefined],
        ['POST', '/rotate', {}],
        ['POST', '/reveal', {}],
        ['POST', '/test', {}],
        ['GET', '/deliveries', undefined],
        ['POST', '/deliveries/msg_1/resend', {}]
      ] as const) {
        const answer = await ask(acme, method, `/webhooks/${foreign}${path}`, payload)
        t.equal(answer.statusCode, 404, `${method} ${path}: ${answer.body}`)
      }
      t.match((await ask(globex, 'GET', `/webhooks/${foreign}`)).json(), { id: foreign, description: null })
    })

    await t.test('its bearer opens the portal, and no other door', async (t) => {
      for (const url of [`${API('acme')}/webhooks`, `${API('acme')}/events`, '/svc/security/api/audit/events']) {
        t.equal((await app.inject({ url, headers: bearer(acme) })).statusCode, 403, url)
      }
      t.equal((await ask('acme', 'GET', '/webhooks')).statusCode, 401, 'nor does that of a member open the portal')
    })

    await t.test('bounds of the organisation hold', async (t) => {
      const payload = { url: 'http://127.0.0.1:9/more', events: ['*'] }
      t.equal((await ask(acme, 'POST', '/webhooks', payload)).statusCode, 201)
      t.match((await ask(acme, 'POST', '/webhooks', payload)).json(), { code: 'SVC_EVENTS_ENDPOINTS' })
    })

    await t.test('a suspension closes it, and ends no session', async (t) => {
      const waiting = await secretOf('acme')
      states.set('acme', 'suspended')
      for (const path of ['/session', '/webhooks', `/webhooks/${own}`, '/events/types']) {
        t.equal((await ask(acme, 'GET', path)).statusCode, 403, path)
      }
      t.match((await enter(waiting)).json(), { code: 'SVC_EVENTS_SUSPENDED' })
      t.equal((await ask(globex, 'GET', '/webhooks')).statusCode, 200)
      states.set('acme', 'active')
      t.equal((await ask(acme, 'GET', '/webhooks')).statusCode, 200)
    })

    await t.test('with its organisation all of it goes', async (t) => {
      const waiting = await secretOf('acme')
      states.set('acme', null)
      t.equal((await ask(acme, 'GET', '/webhooks')).statusCode, 403)
      await app.events.forget('acme')
      t.equal((await ask(acme, 'GET', '/webhooks')).statusCode, 401)
      t.equal((await enter(waiting)).statusCode, 400)
      t.equal((await ask(globex, 'GET', `/webhooks/${foreign}`)).statusCode, 200)
    })
  })
)
