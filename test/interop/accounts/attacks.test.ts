/** What is tried against each flow of accounts, on SQLite, PostgreSQL and documents, by the API alone. */
import type { FastifyInstance } from 'fastify'
import type { Delivery, OutgoingMail } from 'svc-mail'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { onEveryEngine, type Register } from '../../support/engines.ts'
import { ACCEPTED, ADA, answered, BOB, DONE, NEW, named, OTHER, opened, PASSWORD, Person } from './accounts-world.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const REFUSED = { statusCode: 400, code: 'SVC_ACCOUNTS_TOKEN' }

/** One application, whose accounts each attack makes anew. */
class World {
  readonly fastify: FastifyInstance
  readonly clock: ManualClock

  constructor(fastify: FastifyInstance, clock: ManualClock) {
    this.fastify = fastify
    this.clock = clock
  }

  /** Signed in, as nobody was there before. */
  async people(): Promise<{ readonly ada: Person; readonly bob: Person; readonly stranger: Person }> {
    const { userAccounts } = this.fastify
    // The budget of mails of an address, and of calls of this network, is that of an hour later.
    this.clock.advance(DAY)
    for (const { identifier } of (await userAccounts.list({}, {})).items) await userAccounts.remove(identifier)
    await this.fastify.jobs.drain()
    this.fastify.mail.outbox.clear()
    const [ada, bob] = [new Person(this.fastify), new Person(this.fastify)]
    for (const [person, identifier] of [[ada, ADA] as const, [bob, BOB] as const]) {
      await userAccounts.create({ identifier, password: PASSWORD, roles: [] })
      await person.login(identifier, PASSWORD)
    }
    return { ada, bob, stranger: new Person(this.fastify) }
  }
}

type Attack = (t: Test, world: World) => Promise<void>

const refused = async (t: Test, answer: ReturnType<Person['post']>, what: string) =>
  t.match((await answer).json(), REFUSED, what)

const attacks: Readonly<Record<string, Attack>> = {
  'sign-up: late, and for an account that came first': async (t, { fastify, clock }) => {
    const stranger = new Person(fastify)
    const address = 'new@example.org'
    const link = async () => {
      await stranger.post('/sign-up', { address, password: PASSWORD })
      return { token: await stranger.token(address, 'Confirm'), password: PASSWORD }
    }
    const late = await link()
    clock.advance(DAY)
    await refused(t, stranger.post('/verify', late), 'late')
    const second = await link()
    await fastify.userAccounts.create({ identifier: address, password: OTHER, roles: [] })
    t.match((await stranger.post('/verify', second)).json(), { statusCode: 409, code: 'SVC_ACCOUNTS_TAKEN' })
    t.equal(await stranger.login(address, PASSWORD), 401, 'the account is of who was first')
  },

  'reset: two at once, twice, late, and after a change of the address': async (t, world) => {
    const { ada, stranger } = await world.people()
    await Promise.all([stranger.post('/reset', { address: ADA }), stranger.post('/reset', { address: ADA })])
    const tokens = [await stranger.token(ADA, 'Reset'), await stranger.token(ADA, 'Reset')]
    const uses = [...tokens, ...tokens].map((token) => stranger.post('/reset/complete', { token, password: OTHER }))
    const statuses = (await Promise.all(uses)).map(({ statusCode }) => statusCode)
    t.strictSame(statuses.sort(), [200, 400, 400, 400], 'of two links and four uses at once, one')
    t.equal(await ada.login(ADA, OTHER), 200)

    const ask = async () => {
      await stranger.post('/reset', { address: ADA })
      return { token: await stranger.token(ADA, 'Reset'), password: PASSWORD }
    }
    const late = await ask()
    world.clock.advance(HOUR)
    await refused(t, stranger.post('/reset/complete', late), 'late')
    const before = await ask()
    await world.fastify.userAccounts.rename(ADA, NEW)
    await refused(t, stranger.post('/reset/complete', before), 'the account has another address')
    t.equal(await stranger.login(NEW, OTHER), 200, 'nothing has changed')
  },

  'reset: a flood sends few mails, and answers the same': async (t, world) => {
    const { stranger } = await world.people()
    const seen = new Set<string>()
    for (const address of [ADA, 'nobody@example.org']) {
      for (let call = 0; call < 12; call += 1)
        seen.add(JSON.stringify(answered(await stranger.post('/reset', { address }))))
    }
    t.strictSame([...seen], [JSON.stringify(ACCEPTED)])
    await world.fastify.jobs.drain()
    t.equal(world.fastify.mail.outbox.list({ to: ADA }).length, 5, 'as limits.perAddress says')
    t.equal(world.fastify.mail.outbox.list({ to: 'nobody@example.org' }).length, 0)
  },

  'address: by another account, late, after another change, and undone twice': async (t, world) => {
    const { ada, bob, stranger } = await world.people()
    const ask = async () => {
      await ada.post('/address', { address: NEW })
      return { token: await ada.token(NEW, 'Confirm your new address') }
    }
    const first = await ask()
    t.strictSame(answered(await bob.post('/address/confirm', first)), named(NEW), 'it is the account of the link')
    t.match(await world.fastify.userAccounts.find(BOB), { identifier: BOB }, 'and not that of who opens it')
    const undo = { token: await ada.token(ADA, 'address of your account changes') }
    t.strictSame(answered(await stranger.post('/address/undo', undo)), DONE)
    await refused(t, stranger.post('/address/undo', undo), 'undone once')

    await world.fastify.userAccounts.setPassword(ADA, PASSWORD)
    await ada.login(ADA, PASSWORD)
    world.fastify.mail.outbox.clear()
    const late = await ask()
    world.clock.advance(HOUR)
    await refused(t, stranger.post('/address/confirm', late), 'late')
    await ada.login(ADA, PASSWORD)
    const before = await ask()
    await world.fastify.userAccounts.rename(ADA, 'ada@example.net')
    await refused(t, stranger.post('/address/confirm', before), 'the account has another address')
  },

  'address: undone too late': async (t, world) => {
    const { ada, stranger } = await world.people()
    await ada.post('/address', { address: NEW })
    await stranger.post('/address/confirm', { token: await ada.token(NEW, 'Confirm your new address') })
    const undo = { token: await ada.token(ADA, 'address of your account changes') }
    world.clock.advance(7 * DAY)
    await refused(t, stranger.post('/address/undo', undo), 'late')
    t.match(await world.fastify.userAccounts.find(NEW), { identifier: NEW })
  },

  'invitation: twice at once, late, revoked, and for an account that came first': async (t, world) => {
    const { stranger } = await world.people()
    const { accounts, userAccounts } = world.fastify
    const invited = async (address: string) => {
      await accounts.invite({ address, roles: ['ROLE_BUYER'] })
      return { token: await stranger.token(address, 'invited'), password: PASSWORD }
    }
    const eve = await invited('eve@example.org')
    const uses = await Promise.all([0, 1, 2].map(() => stranger.post('/invitations/accept', eve)))
    t.strictSame(uses.map(({ statusCode }) => statusCode).sort(), [200, 400, 400])
    const late = await invited('late@example.org')
    world.clock.advance(7 * DAY)
    await refused(t, stranger.post('/invitations/accept', late), 'late')
    const revoked = await invited('gone@example.org')
    for (const { ref } of await accounts.invitations()) await accounts.revokeInvitation(ref)
    await refused(t, stranger.post('/invitations/accept', revoked), 'revoked')
    const taken = await invited('carl@example.org')
    await userAccounts.create({ identifier: 'carl@example.org', password: OTHER, roles: [] })
    t.match((await stranger.post('/invitations/accept', taken)).json(), { statusCode: 409, code: 'SVC_ACCOUNTS_TAKEN' })
    t.match(await userAccounts.find('carl@example.org'), { roles: [] }, 'it gains no role')
  },

  'export: by another account, twice, late, and after a change of the address': async (t, world) => {
    const { ada, bob } = await world.people()
    const ask = async () => {
      await ada.post('/export')
      return { token: await ada.token(ADA, 'downloaded') }
    }
    const own = await ask()
    await refused(t, bob.post('/export/download', own), 'of another account')
    t.equal((await ada.post('/export/download', own)).statusCode, 200, 'which used nothing up')
    await refused(t, ada.post('/export/download', own), 'twice')
    const late = await ask()
    world.clock.advance(DAY)
    await ada.login(ADA, PASSWORD)
    await refused(t, ada.post('/export/download', late), 'late')
    const before = await ask()
    await world.fastify.userAccounts.rename(ADA, NEW)
    await ada.login(NEW, PASSWORD)
    await refused(t, ada.post('/export/download', before), 'the account has another address')
  },

  'deletion: cancelled twice, by a link of before, and after the account is gone': async (t, world) => {
    const { ada, stranger } = await world.people()
    const ask = async (name: string) => {
      await ada.login(name, PASSWORD)
      t.equal((await ada.post('/deletion')).statusCode, 202)
      return { token: await ada.token(name, 'will be deleted') }
    }
    const first = await ask(ADA)
    t.strictSame(answered(await stranger.post('/deletion/cancel-by-link', first)), DONE)
    await refused(t, stranger.post('/deletion/cancel-by-link', first), 'twice')
    const before = await ask(ADA)
    await world.fastify.userAccounts.rename(ADA, NEW)
    await refused(t, stranger.post('/deletion/cancel-by-link', before), 'the account has another address')
    const late = await ask(NEW)
    world.clock.advance(14 * DAY)
    await world.fastify.jobs.schedules.runNow('svc.accounts.sweep')
    await world.fastify.jobs.drain()
    await refused(t, stranger.post('/deletion/cancel-by-link', late), 'the account is gone')
    t.equal(await world.fastify.userAccounts.find(NEW), null)
  },

  'clocks: of an instance a minute behind or ahead, links hold as they do elsewhere': async (t, world) => {
    const { stranger } = await world.people()
    const ask = async () => {
      await stranger.post('/reset', { address: ADA })
      return { token: await stranger.token(ADA, 'Reset'), password: OTHER }
    }
    const behind = await ask()
    world.clock.advance(-MINUTE)
    t.strictSame(answered(await stranger.post('/reset/complete', behind)), DONE, 'issued in the future of this clock')
    world.clock.advance(MINUTE)
    const ahead = await ask()
    world.clock.advance(HOUR - MINUTE)
    t.strictSame(answered(await stranger.post('/reset/complete', ahead)), DONE, 'a minute of its hour is left')
    const over = await ask()
    world.clock.advance(HOUR)
    world.clock.advance(-MINUTE)
    t.strictSame(answered(await stranger.post('/reset/complete', over)), DONE, 'over elsewhere, and here in a minute')
  }
}

/** Takes no mail until it says so. */
class Away {
  isAway = true
  readonly sent: OutgoingMail[] = []

  async send(mail: OutgoingMail): Promise<Delivery> {
    if (this.isAway) throw new Error('connect ECONNREFUSED 127.0.0.1:25')
    this.sent.push(mail)
    return { id: mail.messageId, refused: 0 }
  }
}

async function whileMailIsAway(t: Test, register: Register, clock: ManualClock): Promise<void> {
  const transport = new Away()
  clock.advance(DAY)
  const fastify = await opened(t, register, clock, transport)
  await fastify.userAccounts.create({ identifier: 'mia@example.org', password: PASSWORD, roles: [] })
  const stranger = new Person(fastify)
  const seen = new Set<string>()
  for (const address of ['mia@example.org', 'nobody@example.org']) {
    seen.add(JSON.stringify(answered(await stranger.post('/reset', { address }))))
    await fastify.jobs.drain()
  }
  t.strictSame([...seen], [JSON.stringify(ACCEPTED)], 'the answer is the same')
  const { items } = await fastify.jobs.list({ name: 'svc.mail', state: 'waiting' })
  t.ok(items.length > 0 && items.every(({ attempts }) => attempts > 0), 'the mail is tried again')
  transport.isAway = false
  clock.advance(HOUR - 1)
  await fastify.jobs.drain()
  const received = (name: string) => transport.sent.filter(({ to }) => to.some(({ address }) => address === name))
  const [mail, ...more] = received('mia@example.org')
  t.strictSame([more.length, received('nobody@example.org').length], [0, 0])
  const [, token = ''] = /#([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '') ?? []
  t.strictSame(answered(await stranger.post('/reset/complete', { token, password: OTHER })), DONE)
}

t.test('attacks on every flow', (t) =>
  onEveryEngine(t, async (t, register) => {
    const clock = new ManualClock()
    const world = new World(await opened(t, register, clock), clock)
    for (const [attack, run] of Object.entries(attacks)) await t.test(attack, (t) => run(t, world))
    await world.fastify.close()
    await t.test('the mail server is away: the job retries, and the answer is the same', (t) =>
      whileMailIsAway(t, register, clock)
    )
  })
)
