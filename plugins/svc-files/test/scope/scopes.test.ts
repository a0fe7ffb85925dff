/** Two scopes that do at random what they can do with each other's ids, and callers without a scope. */

import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import svcFiles from '../../src/index.ts'
import { aFile, filesApp, form, post } from '../support/files-app.ts'

const SCOPES = ['acme', 'globex'] as const
type Scope = (typeof SCOPES)[number]

interface Owned {
  readonly id: string
  readonly scope: Scope
  readonly text: string
}

/** One request of a scope, and the file that it names: its own, another's, or none. */
interface Step {
  readonly app: FastifyInstance
  readonly t: Test
  readonly there: Owned[]
  readonly scope: Scope
  readonly url: string
  /** The file, if it is the scope's own. */
  readonly own: Owned | null
  readonly label: string
}

const other = (scope: Scope): Scope => (scope === 'acme' ? 'globex' : 'acme')

const acts: Readonly<Record<string, (step: Step) => Promise<unknown>>> = {
  post: async ({ app, there, scope, label }) => {
    const { files } = (await post(app, form(aFile(label)), { 'x-scope': scope })).json()
    there.push({ id: files[0].id, scope, text: label })
  },
  get: (step) => read(step, {}, (text) => text),
  range: (step) => read(step, { range: 'bytes=0-2' }, (text) => text.slice(0, 3)),
  head: async ({ app, t, scope, url, own, label }) => {
    const { statusCode } = await app.inject({ method: 'HEAD', url, headers: { 'x-scope': scope } })
    t.equal(statusCode, own === null ? 404 : 200, label)
  },
  delete: async ({ app, t, there, scope, url, own, label }) => {
    const answer = await app.inject({ method: 'DELETE', url, headers: { 'x-scope': scope } })
    t.equal(answer.json(), own !== null, label)
    if (own !== null) there.splice(there.indexOf(own), 1)
  },
  list: async ({ app, t, there, scope, label }) => {
    const listed = await app.files.in(scope).list({ limit: 1000 })
    const expected = there.filter((file) => file.scope === scope).map(({ id }) => id)
    t.strictSame(
      listed.map(({ id }) => id),
      expected.sort(),
      label
    )
  },
  usage: async ({ app, t, there, scope, label }) => {
    const bytes = there.filter((file) => file.scope === scope).reduce((sum, { text }) => sum + text.length, 0)
    t.equal(await app.files.in(scope).usage(), bytes, label)
  },
  keep: async ({ app, t, there, scope, label }) => {
    const { id } = await app.files.in(scope).stage([Buffer.from('x')], { name: 'x' })
    await t.rejects(app.files.in(other(scope)).keep(id), { code: 'SVC_FILES_NOT_FOUND' }, label)
    await app.files.in(scope).keep(id)
    there.push({ id, scope, text: 'x' })
  }
}

async function read({ app, t, scope, url, own, label }: Step, more: object, part: (text: string) => string) {
  const answer = await app.inject({ url, headers: { 'x-scope': scope, ...more } })
  if (own === null) t.match([answer.statusCode, answer.json().code], [404, 'SVC_FILES_NOT_FOUND'], label)
  else t.equal(answer.body, part(own.text), label)
}

t.test('300 random requests of two scopes: none sees, reads, keeps or removes a file of the other', async (t) => {
  const { app } = await filesApp(t)
  const there: Owned[] = []
  const step = fc.record({
    scope: fc.constantFrom(...SCOPES),
    act: fc.constantFrom(...Object.keys(acts)),
    pick: fc.nat(1000)
  })
  for (const [at, { scope, act, pick }] of fc.sample(step, { numRuns: 300, seed: 7 }).entries()) {
    const picked = there[pick % Math.max(1, there.length)] ?? null
    const own = picked?.scope === scope ? picked : null
    const label = `${at}: ${scope} ${act} ${picked?.scope}`
    await acts[act]?.({ app, t, there, scope, url: `/files/${picked?.id ?? 'file_none'}`, own, label })
  }
  for (const scope of SCOPES) t.ok(there.filter((file) => file.scope === scope).length > 10, scope)
})

t.test('a call without a scope fails, whatever it asks', async (t) => {
  const { app } = await filesApp(t)
  const { files } = app
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    put: () => files.put([Buffer.from('a')], { name: 'a' }),
    stage: () => files.stage([Buffer.from('a')], { name: 'a' }),
    keep: () => files.keep('a'),
    get: () => files.get('a'),
    list: () => files.list(),
    usage: () => files.usage(),
    stream: () => files.stream('a'),
    remove: () => files.remove('a')
  }
  for (const [name, call] of Object.entries(calls)) await t.rejects(call(), { code: 'SVC_FILES_NO_SCOPE' }, name)
  t.equal((await app.inject('/files/a')).json().code, 'SVC_FILES_NO_SCOPE')
  t.throws(() => files.in(''), { code: 'SVC_FILES_NO_SCOPE' })
  t.throws(() => files.in(null as unknown as string), { code: 'SVC_FILES_NO_SCOPE' })
})

t.test('an application says once to whom files belong', async (t) => {
  for (const given of [{}, { scope: false as const, parts: { scope: () => 'a' } }]) {
    const app = Fastify()
    t.teardown(() => app.close().catch(() => undefined))
    const refused = { code: 'SVC_FILES_SCOPE', problems: [{ code: 'SVC_FILES_SCOPE' }] }
    await t.rejects(async () => app.register(svcFiles, given), refused)
  }
  const { app } = await filesApp(t, { options: { scope: false } })
  const { id } = await app.files.put([Buffer.from('shared')], { name: 'a' })
  t.equal((await app.inject(`/files/${id}`)).body, 'shared')
})
