/**
 * Random requests of members of two organisations, over every door and listing: rows, members, invitations, keys and jobs. The
 * model knows which marks belong to whom; an answer that has a mark of the other organisation fails the test.
 */
import t, { type Test } from 'tap'
import { API, type Caller, OrganizationsApp } from '../support/organizations-app.ts'

const REQUESTS = 300
const SEED = 20_261_128

/** Mulberry32: the same requests in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Side {
  readonly slug: string
  readonly id: string
  /** In every text that belongs to it, and in no other. */
  readonly mark: string
  readonly callers: Caller[]
  /** Ids of its members, invitations, keys and notes. */
  readonly things: string[]
}

t.test(`${REQUESTS} random requests of two organisations see no row of the other`, async (t) => {
  const ran: string[] = []
  const app = await OrganizationsApp.start(t, {
    routes: (fastify) => {
      fastify.jobs.define('notes.read', {}, async () => {
        ran.push(JSON.stringify(await fastify.orm.repository('Note').find()))
      })
      fastify.post('/api/at/:organization/read', async () => ({ job: (await fastify.jobs.add('notes.read')).id }))
    }
  })
  const both = await app.user('both@example.org')
  const sides: [Side, Side] = [await side(app, 'acme', both), await side(app, 'globex', both)]
  const draw = random(SEED)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T
  let answered = 0
  let marked = 0
  for (let index = 0; index < REQUESTS; index += 1) {
    const own = pick(sides)
    const other = own === sides[0] ? sides[1] : sides[0]
    const caller = pick(own.callers)
    const named = pick([own.slug, own.id, own.slug, other.slug, other.id])
    const thing = pick([...own.things, ...other.things])
    const answer = await pick(doors)(
      caller,
      named,
      thing,
      named === own.slug || named === own.id ? own.mark : other.mark
    )
    if (answer.statusCode < 300) answered += 1
    const foreign = named === other.slug || named === other.id
    const shown = answer.body + JSON.stringify(answer.headers)
    const note = `request ${index}, as ${own.slug} to ${named}: ${answer.statusCode} ${answer.body}`
    const [may, mayNot] = caller === both && foreign ? [other, own] : [own, other]
    if (shown.includes(mayNot.mark)) t.fail(note)
    if (shown.includes(may.mark)) marked += 1
  }
  t.ok(answered > REQUESTS / 5, `${answered} were answered`)
  t.ok(marked > REQUESTS / 10, `${marked} answers had rows of the own organisation`)
  await ownRowsAlone(t, app, sides, ran, both)
})

/** Of what the jobs have read, and of what is there at the end. */
async function ownRowsAlone(t: Test, app: OrganizationsApp, sides: readonly [Side, Side], ran: string[], both: Caller) {
  await app.fastify.jobs.drain()
  t.ok(ran.length > 5, `${ran.length} jobs ran`)
  for (const rows of ran) t.notOk(rows.includes(sides[0].mark) && rows.includes(sides[1].mark), rows)
  for (const { slug, mark } of sides) {
    const rows = (await both.get(`/api/at/${slug}/notes`)).json<{ text: string }[]>()
    t.ok(rows.length > 1)
    for (const { text } of rows) t.match(text, mark)
  }
}

type Door = (
  caller: Caller,
  named: string,
  thing: string,
  /** Of the organisation that is named. */
  mark: string
) => Promise<{ readonly statusCode: number; readonly body: string; readonly headers: object }>

const doors: readonly Door[] = [
  (caller, named) => caller.get(`/api/at/${named}/notes`),
  (caller, named) => caller.get('/api/notes', { 'x-organization': named }),
  (caller, named) => caller.get('/api/notes', { host: `${named}.example.org` }),
  (caller, named, thing) => caller.get(`/api/at/${named}/notes/${thing}`),
  (caller, named, thing) => caller.delete(`/api/at/${named}/notes/${thing}`),
  (caller, named, _thing, mark) => caller.post(`/api/at/${named}/notes`, { text: mark }),
  (caller, named) => caller.get(`/api/at/${named}/active`),
  (caller, named) => caller.get(`${API}/${named}`),
  (caller, named) => caller.get(`${API}/${named}/members`),
  (caller, named) => caller.get(`${API}/${named}/members?limit=1&offset=1`),
  (caller, named, thing) => caller.patch(`${API}/${named}/members/${thing}`, { role: 'reader' }),
  (caller, named) => caller.get(`${API}/${named}/invitations`),
  (caller, named, thing) => caller.delete(`${API}/${named}/invitations/${thing}`),
  (caller, named) => caller.get(`${API}/${named}/keys`),
  (caller, named, thing) => caller.delete(`${API}/${named}/keys/${thing}`),
  (caller, named, thing) => caller.post(`${API}/${named}/keys/${thing}/rotate`),
  (caller, named) => caller.get(`${API}/${named}/transfer`),
  (caller, named) => caller.post(`/api/at/${named}/read`)
]

async function side(app: OrganizationsApp, slug: string, both: Caller): Promise<Side> {
  const mark = `mark-of-${slug}`
  const owner = await app.user(`${mark}-owner@example.org`)
  const clerk = await app.user(`${mark}-clerk@example.org`)
  const id = await app.organization(owner, slug)
  await app.member(id, 'both@example.org', 'admin')
  const things = [await app.member(id, `${mark}-clerk@example.org`, 'clerk')]
  for (const text of [mark, `${mark} again`]) {
    things.push((await owner.post(`/api/at/${slug}/notes`, { text })).json<{ id: string }>().id)
  }
  await owner.post(`${API}/${slug}/invitations`, { address: `${mark}-new@example.org`, role: 'reader' })
  const { invitations } = (await owner.get(`${API}/${slug}/invitations`)).json()
  const key = { name: mark, permissions: ['members', 'keys', 'billing'] }
  const made = (await owner.post(`${API}/${slug}/keys`, key)).json<{ id: string; token: string }>()
  const lasting = (await owner.post(`${API}/${slug}/keys`, key)).json<{ token: string }>()
  things.push(invitations[0].id, made.id)
  return { slug, id, mark, callers: [owner, clerk, both, app.key(made.token), app.key(lasting.token)], things }
}
