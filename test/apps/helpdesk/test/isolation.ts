/**
 * Random requests of two organisations over every door. The model knows a word that is in every text of each organisation
 * and nowhere else: an answer, a frame, a mail, a file or a delivery with the word of the other one fails the test.
 */
import { mailsOf } from 'svc-test'
import type { Test } from 'tap'
import { SeededRandom } from '../../../support/seeded-random.ts'
import { until } from '../../../support/until.ts'
import { WebhookReceiver } from '../../../support/webhook-receiver.ts'
import { type Asked, byTool, httpDoors, KINDS, type Kind, type Seen, seenOf } from './doors.ts'
import type { Caller, HelpDesk, Person } from './help-desk.ts'

/** Sets another run: `SEED=7 node ...`. */
const SEED = Number(process.env.SEED ?? 20_261_128)

type Live = Awaited<ReturnType<Caller['connect']>>

interface Side {
  readonly slug: string
  readonly id: string
  readonly mark: string
  readonly people: readonly Person[]
  readonly programs: readonly Caller[]
  readonly ids: Record<Kind, Set<string>>
  /** Frames of its members' sockets. */
  readonly frames: string[]
}

/** @param requests of each organisation */
export async function isolation(t: Test, desk: HelpDesk, requests: number): Promise<void> {
  const receiver = await WebhookReceiver.start(t)
  const both = await desk.person('both@x.example')
  const sides = [await sideOf(desk, 'umbra', both), await sideOf(desk, 'initech', both)] as const
  const random = new SeededRandom(SEED)
  const sockets = new Map<Caller, Live>()
  for (const side of sides) for (const person of side.people) sockets.set(person, await person.connect())
  sockets.set(both, await both.connect())
  t.teardown(() => Promise.all([...sockets.values()].map((socket) => socket.close())))
  for (const side of sides) {
    for (const person of side.people) {
      await sockets.get(person)?.subscribe(desk.app.events.channelOf(side.id), (data) => {
        side.frames.push(JSON.stringify(data))
      })
    }
  }

  const foreign: string[] = []
  const counts = { answered: 0, refused: 0, own: 0 }
  for (let made = 0; made < 2 * requests; made += 1) {
    const [side, other] = made % 2 === 0 ? sides : [sides[1], sides[0]]
    const named = random.below(4) === 0 ? other : side
    const caller = random.pick([...side.people, ...side.programs, both] as unknown as [Caller])
    const asked: Asked = {
      caller,
      organization: random.pick([named.id, named.slug]),
      mark: named.mark,
      word: random.pick([side.mark, other.mark]),
      receiver: receiver.url(`/${named.slug}`),
      random,
      id: (kind) => {
        const ids = random.below(4) === 0 ? other.ids[kind] : named.ids[kind]
        return random.pick([...ids, ...(ids.size === 0 ? ['none'] : [])] as unknown as [string])
      }
    }
    const seen = await through(desk, asked, sockets.get(caller), named, side)
    for (const [kind, id] of seen.found) named.ids[kind].add(id)
    // Who belongs to both sees what the call names.
    const hidden = caller === both ? (named === side ? other : side) : other
    const note = `request ${made} as ${caller.name} to ${named.slug}: ${seen.text.slice(0, 300)}`
    if (seen.text.includes(hidden.mark)) foreign.push(note)
    if (seen.ok) counts.answered += 1
    else counts.refused += 1
    if (seen.text.includes((caller === both ? named : side).mark)) counts.own += 1
    desk.clock.advance(1000)
    if (made % 50 === 49) await background(t, desk, sides)
  }
  await background(t, desk, sides)
  await until(() => sides.every(({ slug }) => receiver.received.some(({ path }) => path === `/${slug}`)), 'deliveries')
  t.comment(`seed ${SEED}: ${JSON.stringify(counts)}, ${receiver.received.length} deliveries`)
  t.strictSame(foreign, [], 'no answer shows anything of the other organisation')
  t.ok(counts.answered > requests / 2 && counts.refused > requests / 4 && counts.own > requests / 3, 'both happen')
  for (const [side, other] of [sides, [sides[1], sides[0]]] as const) {
    const sent = receiver.received.filter(({ path }) => path === `/${side.slug}`).map(({ body }) => String(body))
    t.ok(sent.length > 3 && side.frames.length > 3, `${side.slug} got ${sent.length} messages, ${side.frames.length} frames`)
    const strange = [...sent, ...side.frames].filter((text) => text.includes(other.mark))
    t.strictSame(strange, [], 'no foreign delivery, no foreign frame')
  }
}

/** One call through a random door. */
async function through(
  desk: HelpDesk,
  asked: Asked,
  socket: Live | undefined,
  named: Side,
  side: Side
): Promise<Seen> {
  const { caller, organization, random, id } = asked
  const isPerson = 'tools' in caller
  const door = random.below(isPerson ? 8 : 5)
  if (door < 5 || socket === undefined) return random.pick(httpDoors as unknown as [(asked: Asked) => Promise<Seen>])(asked)
  if (door === 5) return byTool(asked)
  const params = { organization }
  if (door === 6) {
    const body = { subject: `${asked.mark} by a frame`, body: asked.mark }
    return random.pick([
      () => seenOf(socket.call('GET /api/organizations/:organization/tickets', { params, query: { q: asked.word } })),
      () => seenOf(socket.call('POST /api/organizations/:organization/tickets', { params, body })),
      () =>
        seenOf(
          socket.call('GET /api/organizations/:organization/tickets/:ticket', {
            params: { organization, ticket: id('ticket') }
          })
        )
    ])()
  }
  // A subscription stays: what comes later is among the frames.
  const channel = random.pick([desk.app.events.channelOf(named.id), `events:${named.slug}`, 'events:', 'events:*'])
  const hear = (data: unknown) => void (caller.name.startsWith('both') ? named : side).frames.push(JSON.stringify(data))
  return seenOf(socket.subscribe(channel, hear).then(() => `subscribed to ${channel}`))
}

/** The service level and all jobs; what they mail is for people of the same organisation. */
async function background(t: Test, desk: HelpDesk, sides: readonly [Side, Side]): Promise<void> {
  await desk.app.jobs.schedules.runNow('ServiceLevel.check')
  await desk.jobs.drain()
  for (const { to, subject, text } of mailsOf(desk.app).sent) {
    const own = sides.find(({ mark }) => to.some(({ address }) => address.includes(mark)))
    const strange = sides.filter((side) => own !== undefined && side !== own)
    for (const { mark } of strange) if (`${subject}${text}`.includes(mark)) t.fail(`a mail to ${own?.slug}: ${subject}`)
  }
}

async function sideOf(desk: HelpDesk, slug: string, both: Person): Promise<Side> {
  const mark = `markof${slug}`
  const owner = await desk.person(`${mark}-owner@x.example`)
  const agent = await desk.person(`${mark}-agent@x.example`)
  const id = await desk.organization(owner, slug)
  await desk.join(id, owner, agent, 'agent')
  await desk.join(id, owner, both, 'agent')
  const params = { organization: slug }
  const key = (permissions: string[]) =>
    owner.api.call('POST /api/organizations/:organization/keys', { params, body: { name: mark, permissions } })
  const [spent, lasting] = [await key(['tickets']), await key(['tickets', 'events', 'members'])]
  const ids = Object.fromEntries(KINDS.map((kind) => [kind, new Set<string>()])) as Side['ids']
  ids.key.add(spent.id)
  return { slug, id, mark, people: [owner, agent], programs: [desk.program(`${slug}-key`, lasting.token)], ids, frames: [] }
}
