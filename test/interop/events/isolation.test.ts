/** Random requests of two organisations, over every door: none gets an event, a delivery, an endpoint or a frame of the other. */
import t from 'tap'
import { onEveryDatabase } from '../../support/entity-databases.ts'
import { bearer } from '../../support/plain-credential.ts'
import { portOf } from '../../support/ports.ts'
import { RpcSocket } from '../../support/rpc-socket.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { API, type EventsApp, eventsApp, Ticket } from './events-app.ts'

t.setTimeout(240_000)

const REQUESTS = 300
const ORGANIZATIONS = ['acme', 'globex'] as const
type Organization = (typeof ORGANIZATIONS)[number]

const otherOf = (own: Organization): Organization => (own === 'acme' ? 'globex' : 'acme')

/** In the data of every event and in the description of every endpoint: what must not be seen elsewhere. */
const markOf = (organization: Organization) => `only-for-${organization}`

interface Known {
  readonly endpoints: string[]
  readonly events: string[]
  readonly messages: string[]
  readonly recoveries: string[]
}

interface Setting extends EventsApp {
  readonly receiver: WebhookReceiver
  readonly known: Record<Organization, Known>
  readonly random: SeededRandom
}

/** One random request of an organisation, with ids of its own or of the other. @returns what it saw of the other */
async function ask({ app, receiver, known, random }: Setting, caller: Organization): Promise<string | null> {
  const ids = (kind: keyof Known): string => {
    const all = [...known.acme[kind], ...known.globex[kind], 'none']
    return all[random.below(all.length)] as string
  }
  const owner = random.below(4) === 0 ? otherOf(caller) : caller
  const base = API(owner)
  const hook = () => `${base}/webhooks/${ids('endpoints')}`
  const description = markOf(caller)
  const request = random.pick<readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object]>([
    ['GET', `${base}/webhooks?limit=200`],
    ['GET', `${base}/webhooks?q=only-for&recent=true`],
    ['POST', `${base}/webhooks`, { url: receiver.url(`/${caller}`), events: ['*'], description }],
    ['GET', hook()],
    ['PATCH', hook(), { description }],
    ['POST', `${hook()}/rotate`, {}],
    ['POST', `${hook()}/reveal`],
    ['POST', `${hook()}/test`],
    ['POST', `${hook()}/recover`, { since: Date.now() - 60_000 }],
    ['GET', `${hook()}/recover/${ids('recoveries')}`],
    ['DELETE', `${hook()}/recover/${ids('recoveries')}`],
    ['GET', `${hook()}/deliveries?limit=200`],
    ['POST', `${hook()}/deliveries/${ids('messages')}/resend`],
    ['GET', `${base}/events?limit=${1 + random.below(200)}`],
    ['GET', `${base}/events?cursor=${ids('events')}`],
    ['GET', `${base}/events/${ids('events')}`],
    ['GET', `${base}/events/export`],
    ['GET', `${base}/events/types`]
  ])
  const [method, url, payload] = request
  const answer = await app.inject({ method, url, headers: bearer(caller), ...(payload !== undefined && { payload }) })
  const seen = answer.body.includes(markOf(otherOf(caller)))
  const { endpoints, recoveries } = known[otherOf(caller)]
  const isForeignId = [...endpoints, ...recoveries].some((id) => url.includes(id))
  if (seen || (answer.statusCode < 300 && (owner !== caller || isForeignId)))
    return `${method} ${url} ${answer.statusCode}`
  if (answer.statusCode === 202 && url.endsWith('/recover'))
    known[caller].recoveries.push(answer.json<{ id: string }>().id)
  if (answer.statusCode === 201) known[caller].endpoints.push(answer.json<{ endpoint: { id: string } }>().endpoint.id)
  return null
}

async function note({ app, known }: Setting, organization: Organization): Promise<void> {
  const { events } = await app.events.list(organization, { limit: 5 })
  known[organization].events.push(...events.map(({ id }) => id))
  const [endpoint] = known[organization].endpoints
  if (endpoint === undefined) return
  const deliveries = await app.events.endpoints(organization).deliveries(endpoint)
  known[organization].messages.push(...deliveries.map(({ messageId }) => messageId))
}

t.test('nothing foreign', (t) =>
  onEveryDatabase(t, [Ticket], async (t, database) => {
    const receiver = await WebhookReceiver.start(t)
    const opened = await eventsApp(t, database)
    const { app } = opened
    await app.listen({ port: 0, host: '127.0.0.1' })
    const nothing = (): Known => ({ endpoints: [], events: [], messages: [], recoveries: [] })
    const known = { acme: nothing(), globex: nothing() }
    const setting: Setting = { ...opened, receiver, known, random: new SeededRandom(33) }
    const frames: string[] = []
    for (const organization of ORGANIZATIONS) {
      const socket = await RpcSocket.open(portOf(app.server), bearer(organization))
      t.teardown(() => socket.client.ws.terminate())
      const own = await socket.call('channel.subscribe', { channel: `events:${organization}` })
      t.equal(own.error, undefined)
      const foreign = await socket.call('channel.subscribe', { channel: `events:${otherOf(organization)}` })
      t.equal(foreign.error?.code !== undefined, true, 'the channel of another organisation is closed')
      socket.client.ws.on('message', (data) => void frames.push(`${organization} ${String(data)}`))
    }
    const foreign: string[] = []
    let emitted = 0
    for (let at = 0; at < REQUESTS; at += 1) {
      for (const caller of ORGANIZATIONS) {
        const seen = await ask(setting, caller)
        if (seen !== null) foreign.push(seen)
        if (at % 10 !== 0) continue
        emitted += 1
        await app.events.emit('ticket.created', { title: markOf(caller) }, { organization: caller })
        await note(setting, caller)
      }
    }
    await app.events.emit('ticket.created', { title: 'the last' }, { organization: 'acme' })
    await app.events.emit('ticket.created', { title: 'the last' }, { organization: 'globex' })
    const last = () =>
      ORGANIZATIONS.every((each) => frames.some((frame) => frame.startsWith(each) && frame.includes('the last')))
    await until(last, 'the last frame of both')
    t.ok(known.acme.endpoints.length > 3 && known.globex.endpoints.length > 3, 'both have endpoints')
    await until(() => receiver.received.length > emitted, 'deliveries')
    t.strictSame(foreign, [], 'no answer shows anything of the other')
    for (const caller of ORGANIZATIONS) {
      const strange = markOf(otherOf(caller))
      t.notOk(
        frames.some((frame) => frame.startsWith(caller) && frame.includes(strange)),
        'no foreign frame'
      )
      const got = receiver.received.filter(({ path }) => path === `/${caller}`)
      t.ok(
        got.some(({ body }) => body.includes(markOf(caller))),
        'deliveries of its own'
      )
      t.notOk(
        got.some(({ body }) => body.includes(strange)),
        'no foreign delivery'
      )
    }
  })
)
