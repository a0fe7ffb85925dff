/**
 * Random SCIM requests of two organisations, each with a key of its own, on every database. Each user and group has a mark of
 * its organisation in its texts. Whatever an organisation asks for, with ids of the other one too: no answer has anything of
 * the other, its ids are not found, and nothing there changes.
 */
import Fastify from 'fastify'
import svcOrganizations from 'svc-organizations'
import svcSecurity from 'svc-security'
import t, { type Test } from 'tap'
import { CHEAP } from '../../support/account-app.ts'
import { onEveryEngine, type Register } from '../../support/engines.ts'
import { SeededRandom } from '../../support/seeded-random.ts'

t.setTimeout(300_000)

/** Sets another run: `SEED=7 node ...`. */
const SEED = Number(process.env.SEED ?? 20_261_129)
const REQUESTS = 160
const KINDS = ['Users', 'Groups'] as const
const SHARED = 'both@initech.example'

type Kind = (typeof KINDS)[number]
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Call = (
  method: Method,
  path: string,
  payload?: object
) => Promise<{ readonly status: number; readonly text: string }>

interface Side {
  readonly slug: string
  readonly mark: string
  readonly scim: Call
  /** Of all that it ever had. */
  readonly ids: Readonly<Record<Kind, Set<string>>>
}

/** One random request. */
interface Asked {
  readonly method: Method
  readonly path: string
  readonly payload?: object
  /** It names a resource of the other organisation in its path. */
  readonly isForeign: boolean
}

const readIds = (text: string): string[] =>
  (JSON.parse(text) as { Resources: { id: string }[] }).Resources.map(({ id }) => id)

/** Both organisations, with users, groups and a user who belongs to both. */
async function opened(t: Test, register: Register): Promise<readonly [Side, Side]> {
  const records = new Map<string, string[][]>()
  const app = Fastify()
  t.teardown(() => app.close())
  await register(app)
  await app.register(svcSecurity, {
    areas: { api: { pattern: '^/(?:api|scim)', authenticators: ['userpassword', 'apikey'] } },
    passwords: CHEAP
  })
  await app.register(svcOrganizations, {
    create: {},
    keys: { rate: '100000/minute', organizationRate: '100000/minute' },
    domains: {},
    roles: { clerk: { permissions: [] }, admin: { permissions: ['members'] } },
    scim: { role: 'clerk', groups: { Admins: 'admin' } },
    parts: { resolveTxt: async (name) => records.get(name) ?? [], provenAddress: ({ identifier }) => identifier }
  })
  await app.ready()
  const side = async (slug: string): Promise<Side> => {
    const mark = `markof${slug}`
    const owner = { identifier: `${mark}-owner`, password: 'correct horse battery', roles: [] }
    await app.userAccounts.create(owner)
    const authorization = `Basic ${btoa(`${owner.identifier}:${owner.password}`)}`
    const api = async (url: string, payload?: object) => {
      const request = { method: 'POST', url: `/api/organizations${url}`, headers: { authorization } } as const
      return (await app.inject(payload === undefined ? request : { ...request, payload })).json()
    }
    await api('', { slug, name: slug })
    const domain = await api(`/${slug}/domains`, { domain: `${slug}.example` })
    records.set(domain.record.name, [[domain.record.value]])
    t.equal((await api(`/${slug}/domains/${domain.id}/verify`)).verified, true)
    const key = await api(`/${slug}/keys`, { name: 'directory', permissions: ['provisioning'] })
    const scim: Call = async (method, path, payload) => {
      const request = { method, url: `/scim/v2${path}`, headers: { authorization: `Bearer ${key.token}` } }
      const { statusCode, body } = await app.inject(payload === undefined ? request : { ...request, payload })
      return { status: statusCode, text: body }
    }
    return { slug, mark, scim, ids: { Users: new Set(), Groups: new Set() } }
  }
  const sides = [await side('umbra'), await side('initech')] as const
  const { id } = JSON.parse((await sides[1].scim('POST', '/Users', { userName: SHARED })).text)
  const shared = await app.userAccounts.find(SHARED)
  const umbra = await app.organizations.find('umbra')
  if (shared === null || umbra === null) throw new Error('the user of both is missing')
  const { id: there } = await app.organizations.addMember(umbra.id, shared, 'clerk')
  await sides[0].scim('PUT', `/Users/${there}`, { userName: SHARED, displayName: sides[0].mark, externalId: 'e0' })
  await sides[1].scim('PUT', `/Users/${id}`, { userName: SHARED, displayName: sides[1].mark, externalId: 'e0' })
  for (const { slug, mark, scim } of sides) {
    for (const name of ['a', 'b', 'c']) {
      await scim('POST', '/Users', { userName: `${mark}-${name}@${slug}.example`, displayName: mark })
      await scim('POST', '/Groups', { displayName: `${mark} ${name}` })
    }
  }
  return sides
}

/** All that an organisation has, as it sees it. */
async function seen({ scim, ids }: Side): Promise<string> {
  const texts: string[] = []
  for (const kind of KINDS) {
    const { text } = await scim('GET', `/${kind}?count=1000&sortBy=id`)
    for (const id of readIds(text)) ids[kind].add(id)
    texts.push(text)
  }
  return texts.join('\n')
}

class Requests {
  readonly #random: SeededRandom
  #made = 0

  constructor(random: SeededRandom) {
    this.#random = random
  }

  /** @param side who asks */
  next(side: Side, other: Side): Asked {
    this.#made += 1
    const random = this.#random
    const kind = random.pick(KINDS)
    const isForeign = random.below(2) === 0
    const id = random.pick([...(isForeign ? other : side).ids[kind]] as unknown as [string])
    const path = `/${kind}/${id}`
    const method = random.pick(['GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE'] as const)
    if (method === 'POST') {
      return { method, path: `/${kind}`, payload: this.#resource(kind, side, other), isForeign: false }
    }
    if (method === 'PUT') return { method, path, payload: this.#resource(kind, side, other), isForeign }
    if (method === 'PATCH')
      return { method, path, payload: { Operations: [this.#change(kind, side, other)] }, isForeign }
    if (method === 'DELETE' || random.below(3) === 0) return { method, path, isForeign }
    return { method, path: `/${kind}?${this.#query(kind, side, other)}`, isForeign: false }
  }

  /** Texts are those of who asks; names, domains and members may be of the other. */
  #resource(kind: Kind, side: Side, other: Side): object {
    const random = this.#random
    const externalId = `e${random.below(4)}`
    if (kind === 'Users') {
      const { slug } = random.below(4) === 0 ? other : side
      const userName = random.pick([SHARED, `${side.mark}-${random.below(20)}@${slug}.example`])
      return { userName, externalId, displayName: side.mark, active: random.below(5) > 0 }
    }
    const displayName = random.pick(['Admins', `${side.mark} ${random.below(9)}`, `group ${this.#made}`])
    return { displayName, externalId, members: [{ value: this.#user(side, other) }] }
  }

  #user(side: Side, other: Side): string {
    return this.#random.pick([...(this.#random.below(3) === 0 ? other : side).ids.Users] as unknown as [string])
  }

  #change(kind: Kind, side: Side, other: Side): object {
    const random = this.#random
    const member = this.#user(side, other)
    return kind === 'Users'
      ? random.pick<object>([
          { op: 'replace', path: 'displayName', value: `${side.mark} changed` },
          { op: 'replace', path: 'active', value: random.below(2) === 0 },
          { op: 'remove', path: 'externalId' }
        ])
      : random.pick<object>([
          { op: 'add', path: 'members', value: [{ value: member }] },
          { op: 'replace', path: 'members', value: [{ value: member }] },
          { op: 'remove', path: `members[value eq "${member}"]` },
          { op: 'replace', path: 'displayName', value: `${side.mark} ${random.below(9)}` }
        ])
  }

  #query(kind: Kind, side: Side, other: Side): URLSearchParams {
    const random = this.#random
    const { mark, ids } = random.below(2) === 0 ? other : side
    const name = kind === 'Users' ? 'userName' : 'displayName'
    const id = random.pick([...ids[kind]] as unknown as [string])
    const filter = random.pick([
      `${name} co "${mark}"`,
      `${name} sw "${mark}" or id eq "${id}"`,
      `not (${name} eq "nobody")`,
      `id eq "${id}"`,
      `id pr`,
      `externalId eq "e${random.below(4)}"`,
      `meta.created gt "2020-01-01T00:00:00Z"`,
      kind === 'Users' ? `displayName eq "${mark}"` : `members.value eq "${this.#user(side, other)}"`
    ])
    const [sortBy, startIndex] = [random.pick(['id', name]), String(1 + random.below(3))]
    return new URLSearchParams({ filter, sortBy, startIndex, count: String(random.below(40)) })
  }
}

/** @returns what is wrong with an answer, by what may be in it */
function wrong({ method, isForeign }: Asked, status: number, text: string, other: Side): string | null {
  if (status >= 500) return 'an error of the server'
  if (text.includes(other.mark)) return 'it has the mark of the other'
  // A refusal may repeat what was asked for.
  const strange = status < 300 ? [...other.ids.Users, ...other.ids.Groups].filter((id) => text.includes(id)) : []
  if (strange.length > 0) return 'it has ids of the other'
  if (isForeign && status !== 404) return `a ${method} of an id of the other`
  return null
}

type Counts = Record<'answered' | 'foreign' | 'refused', number>

/** @returns what an answer showed of the other organisation, or a request changed there */
async function campaign(sides: readonly [Side, Side], counts: Counts): Promise<string[]> {
  const requests = new Requests(new SeededRandom(SEED))
  const states = new Map<Side, string>()
  for (const side of sides) states.set(side, await seen(side))
  const faults: string[] = []
  for (let made = 0; made < REQUESTS; made += 1) {
    const [side, other] = made % 2 === 0 ? sides : [sides[1], sides[0]]
    const asked = requests.next(side, other)
    const { status, text } = await side.scim(asked.method, asked.path, asked.payload)
    counts[status < 300 ? 'answered' : asked.isForeign ? 'foreign' : 'refused'] += 1
    const what = `${made}: ${side.slug} ${JSON.stringify(asked)}: ${status} ${text.slice(0, 300)}`
    const fault = wrong(asked, status, text, other)
    if (fault !== null) faults.push(`${fault}: ${what}`)
    states.set(side, await seen(side))
    const after = await seen(other)
    if (after !== states.get(other)) faults.push(`the other changed: ${what}`)
    states.set(other, after)
  }
  return faults
}

t.test('SCIM of two organisations', (t) =>
  onEveryEngine(t, async (t, register) => {
    const sides = await opened(t, register)
    const counts: Counts = { answered: 0, foreign: 0, refused: 0 }
    const faults = await campaign(sides, counts)
    t.comment(`seed ${SEED}: ${JSON.stringify(counts)}`)
    t.strictSame(faults, [], 'nothing of the other is shown, found or changed')
    t.ok(Object.values(counts).every((count) => count > REQUESTS / 10))
  })
)
