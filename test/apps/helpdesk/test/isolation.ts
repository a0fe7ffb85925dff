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

interface Campaign {
  readonly desk: HelpDesk
  readonly sides: readonly [Side, Side]
  /** Belongs to both. */
  readonly both: Person
  readonly sockets: ReadonlyMap<Caller, Live>
  readonly receiver: WebhookReceiver
  readonly random: SeededRandom
  readonly counts: { answered: number; refused: number; own: number }
}

/** @param requests of each organisation */
export async function isolation(t: Test, desk: HelpDesk, requests: number): Promise<void> {
  const campaign = await begun(t, desk)
  const { sides, receiver, counts } = campaign
  const foreign: string[] = []
  for (let made = 0; made < 2 * requests; made += 1) {
    const seen = await asked(campaign, made)
    if (seen !== null) foreign.push(seen)
    // In steps that are small beside the longest time of a vote, which the sockets ask for now and then.
    desk.clock.advance(300)
    if (made % 50 === 49) await background(t, desk, sides)
  }
  await ended(campaign)
  await background(t, desk, sides)
  t.comment(`seed ${SEED}: ${JSON.stringify(counts)}, ${receiver.received.length} deliveries`)
  t.strictSame(foreign, [], 'no answer shows anything of the other organisation')
  const { answered, refused, own } = counts
  t.ok(answered > requests / 2 && refused > requests / 4 && own > requests / 3, 'both happen')
  for (const [side, other] of [sides, [sides[1], sides[0]]] as const) {
    const got = receiver.received.filter(({ path }) => path === `/${side.slug}`).map(({ body }) => String(body))
    t.ok(
      got.some((text) => text.includes(side.mark)),
      `${side.slug} got ${got.length} messages`
    )
    const strange = [...got, ...side.frames].filter((text) => text.includes(other.mark))
    t.strictSame(strange, [], 'no foreign delivery, no foreign frame')
  }
}

async function begun(t: Test, desk: HelpDesk): Promise<Campaign> {
  const receiver = await WebhookReceiver.start(t)
  const both = await desk.person('both@x.example')
  const sides = [await sideOf(desk, 'umbra', both), await sideOf(desk, 'initech', both)] as const
  const sockets = new Map<Caller, Live>([[both, await both.connect()]])
  for (const { id, slug, mark, people, frames } of sides) {
    await people[0]?.api.call('POST /api/organizations/:organization/webhooks', {
      params: { organization: slug },
      body: { url: receiver.url(`/${slug}`), events: ['*'], description: mark }
    })
    for (const person of people) {
      const socket = await person.connect()
      sockets.set(person, socket)
      await socket.subscribe(desk.app.events.channelOf(id), (data) => void frames.push(JSON.stringify(data)))
    }
  }
  t.teardown(() => Promise.all([...sockets.values()].map((socket) => socket.close())))
  const counts = { answered: 0, refused: 0, own: 0 }
  return { desk, sides, both, sockets, receiver, random: new SeededRandom(SEED), counts }
}

/** One random request. @returns what it saw of an organisation that it must not see, `null` for nothing */
async function asked(campaign: Campaign, made: number): Promise<string | null> {
  const { desk, both, sockets, receiver, random, counts } = campaign
  const [side, other] = made % 2 === 0 ? campaign.sides : [campaign.sides[1], campaign.sides[0]]
  const named = random.below(4) === 0 ? other : side
  const caller = random.pick([...side.people, ...side.programs, both] as unknown as [Caller])
  const call: Asked = {
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
  const seen = await through(desk, call, sockets.get(caller), named, side)
  for (const [kind, id] of seen.found) named.ids[kind].add(id)
  counts[seen.ok ? 'answered' : 'refused'] += 1
  // Who belongs to both sees what the call names.
  const visible = caller === both ? named : side
  if (seen.text.includes(visible.mark)) counts.own += 1
  const hidden = visible === side ? other : side
  if (!seen.text.includes(hidden.mark)) return null
  return `request ${made} as ${caller.name} to ${named.slug}: ${seen.text.slice(0, 300)}`
}

/** A last ticket of each: once it is heard and delivered, so is what came before. */
async function ended({ desk, sides, receiver }: Campaign): Promise<void> {
  for (const { slug, mark, people, frames } of sides) {
    const call = { params: { organization: slug }, body: { subject: 'the last', body: mark } }
    await people[0]?.api.call('POST /api/organizations/:organization/tickets', call)
    const isLast = (text: string) => text.includes('the last')
    // What waits for its turn waits by the clock of the test.
    const during = (holds: () => boolean) => () => {
      desk.clock.advance(10)
      return holds()
    }
    await until(
      during(() => frames.some(isLast)),
      'the last frame'
    )
    const isSent = () => receiver.received.some(({ path, body }) => path === `/${slug}` && isLast(String(body)))
    await until(during(isSent), 'the last delivery')
  }
  await desk.jobs.drain()
}

/** One call through a random door. */
async function through(desk: HelpDesk, asked: Asked, socket: Live | undefined, named: Side, side: Side): Promise<Seen> {
  const { caller, organization, random, id } = asked
  const isPerson = 'tools' in caller
  const door = random.below(isPerson ? 8 : 5)
  if (door < 5 || socket === undefined)
    return random.pick(httpDoors as unknown as [(asked: Asked) => Promise<Seen>])(asked)
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
  return {
    slug,
    id,
    mark,
    people: [owner, agent],
    programs: [desk.program(`${slug}-key`, lasting.token)],
    ids,
    frames: []
  }
}
